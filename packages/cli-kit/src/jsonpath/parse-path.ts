import type { Condition, Operand, Operator, Path, Slice, Step } from "./template.ts";
import type { TextReader } from "./text-reader.ts";

const fieldName = /(?:\\.|[^\s.[\](){}'"=!<>\\,?*$@:&|])+/;
const operators: readonly Operator[] = ["==", "!=", "<=", ">=", "<", ">"];
const words = { true: true, false: false, null: null } as const;

/** Parses a path such as `.items[*].metadata.name`; it ends where no further step begins. */
export function parsePath(reader: TextReader): Path {
  const isFromRoot = reader.takes("$");
  const hasStart = isFromRoot || reader.takes("@");
  const steps: Step[] = [];
  for (let step = parseStep(reader); step !== undefined; step = parseStep(reader)) steps.push(step);
  const isDot = steps.length === 0 && !hasStart && reader.takes(".");
  if (steps.length === 0 && !hasStart && !isDot) reader.fail('a path must start with ".", "[", "$" or "@"');
  return { isFromRoot, steps };
}

function parseStep(reader: TextReader): Step | undefined {
  if (reader.takes("..")) return { type: "anywhere", name: reader.takes("*") ? "*" : parseField(reader) };
  if (reader.takes(".*")) return { type: "all" };
  if (reader.takes("[")) return parseBrackets(reader);
  // A dot alone is the value itself.
  const dotted = reader.match(new RegExp(String.raw`\.${fieldName.source}`));
  return dotted === undefined ? undefined : { type: "field", name: unescape(dotted.slice(1)) };
}

function parseField(reader: TextReader): string {
  const name = reader.match(fieldName);
  return name === undefined ? reader.fail("missing field name") : unescape(name);
}

function unescape(name: string): string {
  return name.replaceAll(/\\(.)/g, "$1");
}

function parseBrackets(reader: TextReader): Step {
  if (reader.takes("?(")) {
    const condition = parseCondition(reader);
    reader.match(/\s+/);
    reader.expect(")", "at the end of the filter");
    reader.expect("]", "after the filter");
    return { type: "filter", condition };
  }
  const members: Step[] = [];
  do {
    reader.match(/\s+/);
    members.push(parseMember(reader));
    reader.match(/\s+/);
  } while (reader.takes(","));
  reader.expect("]", "at the end of the brackets");
  const [only, ...others] = members;
  return only !== undefined && others.length === 0 ? only : { type: "union", members };
}

function parseMember(reader: TextReader): Step {
  if (reader.takes("*")) return { type: "all" };
  if (reader.next === "'" || reader.next === '"') return { type: "field", name: reader.quoted() };
  const begin = reader.position;
  const text = reader.match(/-?\d*(?::-?\d*){0,2}/);
  if (text !== undefined) return { type: "slice", slice: parseSlice(text, reader) };
  const name = reader.match(/[A-Za-z_][\w-]*/);
  if (name !== undefined && begin !== reader.position) return { type: "field", name };
  return reader.fail(
    "brackets must contain a number, a slice such as 0:2, *, a quoted name or a filter such as ?(@.a==1)",
  );
}

function parseSlice(text: string, reader: TextReader): Slice {
  const parts = text.split(":");
  const [from, to, by] = parts.map((part) => (part === "" ? undefined : Number(part)));
  if (parts.length > 1) {
    if (by !== undefined && by < 1) reader.fail("slice step must be at least 1");
    return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), by: by ?? 1 };
  }
  if (from === undefined || Number.isNaN(from)) return reader.fail("not a number");
  // -1 is the last element, so the slice has no end.
  return { from, ...(from === -1 ? {} : { to: from + 1 }), by: 1 };
}

function parseCondition(reader: TextReader): Condition {
  reader.match(/\s+/);
  const left = parseOperand(reader);
  reader.match(/\s+/);
  const operator = operators.find((each) => reader.takes(each));
  if (operator === undefined) {
    if (reader.next === "=") reader.fail('use "==" to compare values');
    if (/[&|]/.test(reader.next)) reader.fail("a filter supports only one comparison; chain multiple filters instead");
    return { left };
  }
  reader.match(/\s+/);
  return { left, comparison: { operator, right: parseOperand(reader) } };
}

function parseOperand(reader: TextReader): Operand {
  if (reader.next === "'" || reader.next === '"') return { value: reader.quoted() };
  const number = reader.match(/-?\d+(?:\.\d+)?(?![\w.])/);
  if (number !== undefined) return { value: Number(number) };
  const word = reader.match(/(?:true|false|null)\b/);
  if (word !== undefined) return { value: words[word as keyof typeof words] };
  return { path: parsePath(reader) };
}
