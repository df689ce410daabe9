import { isRecord } from "@butler/std";
import type { Condition, Operand, Operator, Path, Slice, Step, TemplatePart } from "./template.ts";

/** The root value of a template, and the current value of a range or filter. */
interface Place {
  readonly root: unknown;
  readonly current: unknown;
}

/** Evaluates a template. Missing values are omitted, several values are separated by spaces. */
export function evaluateTemplate(parts: readonly TemplatePart[], root: unknown): string {
  return renderParts(parts, { root, current: root });
}

function renderParts(parts: readonly TemplatePart[], place: Place): string {
  return parts.map((part) => renderPart(part, place)).join("");
}

function renderPart(part: TemplatePart, place: Place): string {
  if (part.type === "text") return part.text;
  const values = valuesAt(part.path, place);
  if (part.type === "path") return values.map(textOf).join(" ");
  return values.map((current) => renderParts(part.body, { root: place.root, current })).join("");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Every value that a path selects. */
function valuesAt({ isFromRoot, steps }: Path, { root, current }: Place): unknown[] {
  let values: unknown[] = [isFromRoot ? root : current];
  for (const step of steps) values = values.flatMap((value) => take(step, value, root));
  return values;
}

function take(step: Step, value: unknown, root: unknown): unknown[] {
  switch (step.type) {
    case "field":
      return fieldOf(value, step.name);
    case "all":
      return childrenOf(value);
    case "anywhere":
      return [value, ...descendantsOf(value)].flatMap((each) =>
        step.name === "*" ? childrenOf(each) : fieldOf(each, step.name),
      );
    case "slice":
      return Array.isArray(value) ? sliceOf(value, step.slice) : [];
    case "union":
      return step.members.flatMap((member) => take(member, value, root));
    case "filter":
      return childrenToFilter(value).filter((current) => holds(step.condition, { root, current }));
  }
}

function fieldOf(value: unknown, name: string): unknown[] {
  return isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : [];
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}

function childrenToFilter(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function descendantsOf(value: unknown): unknown[] {
  return childrenOf(value).flatMap((child) => [child, ...descendantsOf(child)]);
}

function sliceOf(values: readonly unknown[], { from = 0, to = values.length, by }: Slice): unknown[] {
  return values.slice(from, to).filter((_value, at) => at % by === 0);
}

function holds({ left, comparison }: Condition, place: Place): boolean {
  const lefts = operandValues(left, place);
  if (comparison === undefined) return lefts.length > 0;
  const rights = operandValues(comparison.right, place);
  const compare = comparisons[comparison.operator];
  return lefts.some((one) => rights.some((other) => compare(one, other)));
}

function operandValues(operand: Operand, place: Place): unknown[] {
  return "path" in operand ? valuesAt(operand.path, place) : [operand.value];
}

/** Numbers are compared numerically, strings lexically; values of different types are not ordered. */
function isLess(one: unknown, other: unknown): boolean {
  if (typeof one === "number" && typeof other === "number") return one < other;
  return typeof one === "string" && typeof other === "string" && one < other;
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other;
}

const comparisons: Readonly<Record<Operator, (one: unknown, other: unknown) => boolean>> = {
  "==": isEqual,
  "!=": (one, other) => !isEqual(one, other),
  "<": isLess,
  ">": (one, other) => isLess(other, one),
  "<=": (one, other) => isLess(one, other) || isEqual(one, other),
  ">=": (one, other) => isLess(other, one) || isEqual(one, other),
};
