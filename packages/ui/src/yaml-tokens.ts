/** A token of a YAML line. */
export interface YamlToken {
  readonly kind: "key" | "text" | "value" | "comment" | "plain";
  readonly text: string;
}

const literal = /^(?:true|false|null|~|[-+]?\d[\d_.]*(?:e[-+]?\d+)?)$/i;

/** Splits a YAML line into tokens for highlighting. The tokens always join to the original line. */
export function yamlTokens(line: string): YamlToken[] {
  if (/^\s*#/.test(line)) return [{ kind: "comment", text: line }];
  const [, before = "", key = "", colon = "", rest = ""] = /^(\s*(?:- )*)([^\s:#'"][^:#]*?)(:)( .*|)$/.exec(line) ?? [];
  if (key === "") {
    const [, dash = "", value = ""] = /^(\s*(?:- )*)(.*)$/.exec(line) ?? [];
    return pieces({ kind: "plain", text: dash }, ...valueTokens(value));
  }
  return pieces(
    { kind: "plain", text: before },
    { kind: "key", text: key },
    { kind: "plain", text: colon },
    ...valueTokens(rest),
  );
}

function valueTokens(text: string): YamlToken[] {
  const at = /\s#/.exec(text)?.index ?? text.length;
  const value = text.slice(0, at);
  const kind = literal.test(value.trim()) ? "value" : /^\s*['"]/.test(value) ? "text" : "plain";
  return [
    { kind, text: value },
    { kind: "comment", text: text.slice(at) },
  ];
}

function pieces(...tokens: readonly YamlToken[]): YamlToken[] {
  return tokens.filter(({ text }) => text !== "");
}
