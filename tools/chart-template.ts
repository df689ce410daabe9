import { Bug, isRecord } from "@butler/std";

/** The elements of a chart template: plain values, and template expressions. */
export type Template =
  | string
  | number
  | boolean
  | null
  | undefined
  | Filled
  | Nested
  | Choice
  | readonly Template[]
  | { readonly [key: string]: Template };

/** A scalar from a template expression. The expression has to return text that is quoted, or a number. */
export class Filled {
  readonly expression: string;
  constructor(expression: string) {
    this.expression = expression;
  }
}

/** A map or list that is copied from the values; in a list, its items. */
export class Nested {
  readonly expression: string;
  constructor(expression: string) {
    this.expression = expression;
  }
}

/** Conditional content, with an alternative. As an item of a list: lists of items. */
export class Choice {
  readonly condition: string;
  readonly whenTrue: Template;
  readonly whenFalse: Template;
  constructor(condition: string, whenTrue: Template, whenFalse?: Template) {
    this.condition = condition;
    this.whenTrue = whenTrue;
    this.whenFalse = whenFalse;
  }
}

type TemplateMap = Readonly<Record<string, Template>>;

/** Objects as template text, each a separate document. An object may be conditional. */
export function renderTemplate(objects: readonly (TemplateMap | Choice)[]): string {
  return joinedChoices(objects)
    .flatMap((object) => (object instanceof Choice ? choiceLines(object, "", documentLines) : documentLines(object)))
    .map((line) => `${line}\n`)
    .join("");
}

/** Consecutive objects with the same condition share one block, so that each condition appears once. */
function joinedChoices(objects: readonly (TemplateMap | Choice)[]): (TemplateMap | Choice)[] {
  const joined: (TemplateMap | Choice)[] = [];
  for (const object of objects) {
    const last = joined.at(-1);
    const isJoined = last instanceof Choice && object instanceof Choice && last.condition === object.condition;
    if (isJoined && Array.isArray(last.whenTrue)) {
      joined[joined.length - 1] = new Choice(last.condition, [...last.whenTrue, object.whenTrue]);
    } else {
      joined.push(object instanceof Choice ? new Choice(object.condition, [object.whenTrue]) : object);
    }
  }
  return joined;
}

function documentLines(object: Template): string[] {
  if (Array.isArray(object)) return object.flatMap(documentLines);
  return ["---", ...mapLines(object as TemplateMap, 0)];
}

function mapLines(map: TemplateMap, indent: number): string[] {
  return Object.entries(map).flatMap(([key, value]) => entryLines(key, value, indent));
}

function entryLines(key: string, value: Template, indent: number): string[] {
  const pad = " ".repeat(indent);
  if (value === undefined) return [];
  if (value instanceof Choice) return choiceLines(value, pad, (branch) => entryLines(key, branch, indent));
  return attach(`${pad}${word(key)}:`, value, indent + 2);
}

/** Writes a value after a key: on the same line if it is a scalar, below it otherwise. */
function attach(head: string, value: Template, indent: number): string[] {
  if (value instanceof Nested) return [head, nestedLine(value, indent)];
  if (Array.isArray(value)) return value.length === 0 ? [`${head} []`] : [head, ...listLines(value, indent)];
  if (!isMap(value)) return [`${head} ${word(value)}`];
  const lines = mapLines(value, indent);
  return lines.length === 0 ? [`${head} {}`] : [head, ...lines];
}

function listLines(items: readonly Template[], indent: number): string[] {
  return items.flatMap((item) => itemLines(item, indent));
}

function itemLines(item: Template, indent: number): string[] {
  const pad = " ".repeat(indent);
  if (item instanceof Choice) {
    return choiceLines(item, pad, (branch) => listLines(branch as readonly Template[], indent));
  }
  if (item instanceof Nested) return [nestedLine(item, indent)];
  if (!isMap(item)) return attach(`${pad}-`, item, indent + 2);
  const [first = "{}", ...others] = mapLines(item, indent + 2);
  return first.trimStart().startsWith("{{-")
    ? [`${pad}-`, first, ...others]
    : [`${pad}- ${first.trimStart()}`, ...others];
}

function nestedLine({ expression }: Nested, indent: number): string {
  return `${" ".repeat(indent)}{{- toYaml ${expression} | nindent ${indent} }}`;
}

function choiceLines(choice: Choice, pad: string, render: (branch: Template) => string[]): string[] {
  const { condition, whenTrue, whenFalse } = choice;
  if (whenTrue === undefined) return [`${pad}{{- if not (${condition}) }}`, ...render(whenFalse), `${pad}{{- end }}`];
  const otherwise = whenFalse === undefined ? [] : [`${pad}{{- else }}`, ...render(whenFalse)];
  return [`${pad}{{- if ${condition} }}`, ...render(whenTrue), ...otherwise, `${pad}{{- end }}`];
}

function isMap(value: Template): value is TemplateMap {
  return isRecord(value) && !(value instanceof Filled);
}

/** Words that some YAML parsers do not treat as text; `e0` is a number for one of them. */
const notText = /^(y|n|yes|no|on|off|true|false|null|nan|e[\d_]+)$/i;

/** A YAML scalar. Text is unquoted only if every parser treats it as text; template syntax is escaped. */
function word(value: Template): string {
  if (value instanceof Filled) return `{{ ${value.expression} }}`;
  if (typeof value !== "string") return JSON.stringify(value);
  const text = /^[A-Za-z/][\w./-]*$/.test(value) && !notText.test(value) ? value : JSON.stringify(value);
  return text.replaceAll("{{", '{{ "{{" }}');
}

/** The condition that distinguishes two renderings. */
export interface Variants {
  /** The condition of the second rendering. */
  readonly condition: string;
  /** Numeric markers of a value: the number in the first and in the second rendering, and the template expression. */
  readonly number: { readonly first: number; readonly second: number; readonly expression: string };
}

/** Merges both renderings into one template: shared fields are kept, different ones become conditional. */
export function mergeVariants(first: Template, second: Template, variants: Variants): Template {
  const { condition, number } = variants;
  if (first === number.first && second === number.second) return new Filled(number.expression);
  if (Array.isArray(first) && Array.isArray(second)) return mergeLists(first, second, variants);
  if (isRecord(first) && isRecord(second)) return mergeMaps(first, second, variants);
  return first === second ? first : new Choice(condition, second, first);
}

function mergeMaps(first: TemplateMap, second: TemplateMap, variants: Variants): TemplateMap {
  const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...keys].map((key) => [key, mergeVariants(first[key], second[key], variants)]));
}

/** Equal items at the beginning and at the end are kept; items between them become conditional. */
function mergeLists(first: readonly Template[], second: readonly Template[], variants: Variants): readonly Template[] {
  if (first.length === second.length) {
    return first.map((item, at) => {
      const merged = mergeVariants(item, second[at], variants);
      return merged instanceof Choice ? new Choice(merged.condition, [merged.whenTrue], [merged.whenFalse]) : merged;
    });
  }
  const isSame = (left: Template, right: Template): boolean => JSON.stringify(left) === JSON.stringify(right);
  const shorter = Math.min(first.length, second.length);
  let head = 0;
  while (head < shorter && isSame(first[head], second[head])) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(first.at(-1 - tail), second.at(-1 - tail))) tail++;
  const middle = (list: readonly Template[]) => {
    const items = list.slice(head, list.length - tail);
    return items.length === 0 ? undefined : items;
  };
  return [
    ...first.slice(0, head),
    new Choice(variants.condition, middle(second), middle(first)),
    ...first.slice(first.length - tail),
  ];
}

/** Replaces marker words anywhere in a text by template expressions. */
export function fillMarkers(template: Template, expressions: Readonly<Record<string, string>>): Template {
  const fill = (inner: Template): Template => fillMarkers(inner, expressions);
  if (typeof template === "string") return fillText(template, expressions);
  if (template instanceof Choice) {
    return new Choice(template.condition, fill(template.whenTrue), fill(template.whenFalse));
  }
  if (Array.isArray(template)) return template.map(fill);
  if (!isMap(template) || template instanceof Nested) return template;
  for (const key of Object.keys(template)) {
    if (fillText(key, expressions) !== key) throw new Bug(`a marker is the name of a field: ${key}`);
  }
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value)]));
}

function fillText(text: string, expressions: Readonly<Record<string, string>>): Template {
  const markers = Object.keys(expressions);
  const found = text.match(new RegExp(markers.join("|"), "g"));
  if (found === null) return text;
  const values = found.map((marker) => expressions[marker] ?? "");
  if (found[0] === text) return new Filled(`${values[0]} | quote`);
  const format = markers.reduce((rest, marker) => rest.replaceAll(marker, "%s"), text.replaceAll("%", "%%"));
  return new Filled(`printf ${JSON.stringify(format)} ${values.map(bracketed).join(" ")} | quote`);
}

function bracketed(expression: string): string {
  return expression.includes(" ") ? `(${expression})` : expression;
}
