/** A line of YAML as far as its block structure goes. The text is a view into the whole. */
export interface YamlLine {
  readonly start: number;
  /** After the line's end. */
  readonly next: number;
  /** How many spaces it begins with. */
  readonly indent: number;
  /** Whether there is nothing on it but spaces or a comment. */
  readonly isBlank: boolean;
  /** Whether it begins an item of a list. */
  readonly isItem: boolean;
}

const [newline, carriageReturn, space, hash, dash] = [0x0a, 0x0d, 0x20, 0x23, 0x2d];

/** Limits for indentation and key length. */
const [deepest, longestKey] = [4096, 1024];

/** Reads the line that begins at an offset. */
export function lineAt(bytes: Uint8Array, start: number): YamlLine {
  const found = bytes.indexOf(newline, start);
  const next = found === -1 ? bytes.length : found + 1;
  let at = start;
  while (at < next && at - start < deepest && bytes[at] === space) at += 1;
  const first = at < next ? bytes[at] : newline;
  const after = at + 1 < next ? bytes[at + 1] : newline;
  const isBlank = first === newline || first === carriageReturn || first === hash;
  const isItem = first === dash && (after === space || after === newline || after === carriageReturn);
  return { start, next, indent: at - start, isBlank, isItem };
}

/** A key of a mapping and the rest of its line; undefined when the line has no simple key. */
export function keyOf(text: string): { readonly key: string; readonly rest: string } | undefined {
  const match =
    /^(?:"([^"\\]*)"|'([^']*)'|([^\s"'#&*!|>%@`{}[\],?:-][^:#]*?|-[^\s:#][^:#]*?))\s*:(?:[ \t]+(.*))?$/.exec(
      text.slice(0, longestKey).trimEnd(),
    );
  if (match === null) return undefined;
  const [, double, single, plain, rest = ""] = match;
  return { key: double ?? single ?? plain ?? "", rest: rest.replace(/^#.*$/, "").trim() };
}

/**
 * Keeps only the wanted keys of a block mapping, so that a large text is not parsed for a few small values. In block style,
 * the value of a key is indented more than the key, or is a list directly below it.
 */
export function keepKeys(text: string, wanted: ReadonlySet<string>): string {
  const kept: string[] = [];
  let isKept = false;
  for (const line of text.split("\n")) {
    if (line.trim() === "" || /^\s*#/.test(line)) continue;
    // Other documents are not read: Helm reads the first as well.
    if (/^(---|\.\.\.)(\s|$)/.test(line)) {
      if (kept.length > 0 || line.startsWith("...")) break;
      continue;
    }
    if (!/^(\s|-\s|-$)/.test(line)) isKept = wanted.has(keyOf(line)?.key ?? "");
    if (isKept) kept.push(line);
  }
  return kept.join("\n");
}
