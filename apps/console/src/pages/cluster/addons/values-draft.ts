import { isRecord } from "@butler/std";
import { type Document, isMap, parseDocument, stringify } from "yaml";

/** Values of a chart by their names. */
export type Values = Readonly<Record<string, unknown>>;

/** Parsed YAML: values, or the parse error. */
export type ReadDraft =
  { readonly values: Values; readonly problem?: undefined } | { readonly values?: undefined; readonly problem: string };

/** Values as YAML for editing; empty if there are none. */
export function draftOf(values: Values | undefined): string {
  return values === undefined || Object.keys(values).length === 0 ? "" : stringify(values, { lineWidth: 0 });
}

/** Parses the edited YAML. */
export function readDraft(text: string): ReadDraft {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) return { problem: firstLine(error.message) };
  try {
    const values: unknown = document.toJS({ maxAliasCount: 100 });
    if (values === null || values === undefined) return { values: {} };
    return isRecord(values) ? { values } : { problem: "Values must be a YAML mapping, such as `replicas: 2`." };
  } catch (failure) {
    return { problem: failure instanceof Error ? firstLine(failure.message) : String(failure) };
  }
}

/**
 * The text with one value changed; `undefined` removes it together with parents that become empty. Comments and order
 * are kept. Invalid YAML is returned unchanged.
 */
export function withValue(text: string, path: readonly string[], value: unknown): string {
  const document: Document = parseDocument(text);
  if (document.errors.length > 0) return text;
  if (value === undefined) removeIn(document, path);
  else {
    if (!isMap(document.contents)) document.contents = document.createNode({});
    clearTheWay(document, path);
    document.setIn(path, document.createNode(value));
  }
  const isEmpty = isMap(document.contents) && document.contents.items.length === 0 && !text.includes("#");
  return isEmpty ? "" : document.toString({ lineWidth: 0 });
}

function removeIn(document: Document, path: readonly string[]): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  for (let length = path.length - 1; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length));
    if (!isMap(parent) || parent.items.length > 0) return;
    document.deleteIn(path.slice(0, length));
  }
}

/** Removes non-mapping values where a mapping is needed. */
function clearTheWay(document: Document, path: readonly string[]): void {
  for (let length = 1; length < path.length; length++) {
    const parent = path.slice(0, length);
    if (document.hasIn(parent) && !isMap(document.getIn(parent))) document.deleteIn(parent);
  }
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}
