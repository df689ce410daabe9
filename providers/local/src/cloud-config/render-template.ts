import { InvalidInput } from "@butler/std";

/** Instance data of a machine, by the names in cloud-init's templates. */
export interface InstanceMetadata {
  readonly localHostname: string;
  readonly instanceId: string;
}

const header = /^##[ \t]*template:[ \t]*([^\r\n]*?)[ \t]*(?:\r?\n|$)/i;

/**
 * Renders bootstrap data with a template header (cloud-init, "instance data"): names of the instance, literal text,
 * comments and raw blocks. Other Jinja features are rejected; data without a template header is not changed.
 */
export function renderTemplate(text: string, metadata: InstanceMetadata): string {
  const match = header.exec(text);
  if (match === null) return text;
  const [line, language = ""] = match;
  if (language.toLowerCase() !== "jinja") throw new InvalidInput(`template language "${language}" is not supported`);
  return renderJinja(text.slice(line.length), metadata);
}

const opening = /\{[{%#]/g;
const closing = { "{{": "}}", "{%": "%}", "{#": "#}" } as const;

/** The inside of a value up to its end, which may also occur in literal text. */
const valueBody = /(?:"[^"]*"|'[^']*'|(?!\}\})[^"'])*(?=\}\})/y;

function renderJinja(text: string, metadata: InstanceMetadata): string {
  let output = "";
  let at = 0;
  for (;;) {
    opening.lastIndex = at;
    const match = opening.exec(text);
    if (match === null) return output + text.slice(at);
    output += text.slice(at, match.index);
    const tag = readTag(text, match.index);
    at = tag.end;
    if (tag.kind === "{{") output += evaluate(tag.body, metadata);
    if (tag.kind === "{%") {
      const raw = readRaw(text, tag);
      output += raw.body;
      at = raw.end;
    }
  }
}

interface Tag {
  readonly kind: keyof typeof closing;
  readonly body: string;
  /** The position after the tag. */
  readonly end: number;
}

function readTag(text: string, start: number): Tag {
  const kind = text.slice(start, start + 2) as Tag["kind"];
  const close = kind === "{{" ? endOfValue(text, start + 2) : text.indexOf(closing[kind], start + 2);
  if (close < 0) throw new InvalidInput(`the template has a "${kind}" without "${closing[kind]}"`);
  const end = close + 2;
  // cloud-init configures Jinja to drop the line break after a block or comment, but not after a value.
  const skipped = kind !== "{{" && text[end] === "\n" ? 1 : 0;
  return { kind, body: text.slice(start + 2, close).trim(), end: end + skipped };
}

function endOfValue(text: string, start: number): number {
  valueBody.lastIndex = start;
  return valueBody.test(text) ? valueBody.lastIndex : -1;
}

function readRaw(text: string, { body, end }: Tag): { body: string; end: number } {
  if (body !== "raw") throw new InvalidInput(`the template statement "{% ${body} %}" is not supported`);
  const match = /\{%\s*endraw\s*%\}\n?/g;
  match.lastIndex = end;
  const close = match.exec(text);
  if (close === null) throw new InvalidInput('the template has "{% raw %}" without "{% endraw %}"');
  return { body: text.slice(end, close.index), end: close.index + close[0].length };
}

function evaluate(expression: string, { localHostname, instanceId }: InstanceMetadata): string {
  const literal = /^(?:"([^"\\]*)"|'([^'\\]*)')$/.exec(expression);
  if (literal !== null) return literal[1] ?? literal[2] ?? "";
  const path = expression.replaceAll(/\[\s*(?:"([\w-]+)"|'([\w-]+)')\s*\]/g, ".$1$2").replaceAll("-", "_");
  const name = /^(?:ds\.meta_data\.|v1\.)?(local_hostname|instance_id)$/.exec(path)?.[1];
  if (name === undefined) throw new InvalidInput(`unknown template value "{{ ${expression} }}"`);
  return name === "local_hostname" ? localHostname : instanceId;
}
