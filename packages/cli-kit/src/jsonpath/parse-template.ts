import { parsePath } from "./parse-path.ts";
import type { TemplatePart } from "./template.ts";
import { TemplateError, TextReader } from "./text-reader.ts";

/** A range whose `{end}` has not been parsed yet. */
interface OpenRange {
  readonly begin: number;
  readonly path: ReturnType<typeof parsePath>;
  readonly body: TemplatePart[];
}

/**
 * Parses a template in kubectl's syntax: text, and in braces paths, quoted text, and `range` with its `end`. A template
 * without braces that starts like a path is parsed as a path.
 */
export function parseTemplate(text: string): readonly TemplatePart[] {
  if (/^[.[$@]/.test(text) && !text.includes("{")) return parseTemplate(`{${text}}`);
  const reader = new TextReader(text);
  const parts: TemplatePart[] = [];
  const open: OpenRange[] = [];
  const add = (part: TemplatePart): void => void (open.at(-1)?.body ?? parts).push(part);
  while (!reader.isAtEnd) {
    const literal = reader.match(/[^{]+/);
    if (literal !== undefined) add({ type: "text", text: literal });
    const begin = reader.position;
    if (!reader.takes("{")) continue;
    reader.match(/\s+/);
    if (reader.match(/end(?=\s*\})/) !== undefined) {
      const ended = open.pop();
      if (ended === undefined) throw new TemplateError("{end} without a matching range", begin);
      add({ type: "range", path: ended.path, body: ended.body });
    } else if (reader.match(/range\s+/) !== undefined) open.push({ begin, path: parsePath(reader), body: [] });
    else add(parseAction(reader));
    reader.match(/\s+/);
    reader.expect("}", "at the end of the expression");
  }
  const unended = open.at(-1);
  if (unended !== undefined) throw new TemplateError("range without a matching {end}", unended.begin);
  return parts;
}

function parseAction(reader: TextReader): TemplatePart {
  if (reader.next === "'" || reader.next === '"') return { type: "text", text: reader.quoted() };
  if (reader.next === "}") reader.fail("empty braces");
  return { type: "path", path: parsePath(reader) };
}
