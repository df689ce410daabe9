import { deepEqual, InvalidInput, isRecord } from "@butler/std";
import { parseAllDocuments } from "yaml";
import { diffValues, type FieldChange } from "./diff-values.ts";

/** Identity of an object in a manifest. Excludes the API version: another one is a change of the object. */
export interface ObjectIdentity {
  readonly group: string;
  readonly kind: string;
  /** As in the manifest; undefined when it is the namespace of the release. */
  readonly namespace: string | undefined;
  readonly name: string;
}

/** How an object differs between two manifests. */
export interface ManifestChange {
  readonly object: ObjectIdentity;
  readonly change: "added" | "removed" | "changed";
  /** Changed fields; empty for added or removed objects. Secret values are omitted. */
  readonly fields: readonly FieldChange[];
}

type Content = Readonly<Record<string, unknown>>;

/** Compares the objects of two revisions of a release, sorted by identity. */
export function diffManifests(before: string, after: string): ManifestChange[] {
  const [old, young] = [objectsOf(before), objectsOf(after)];
  const keys = [...new Set([...old.keys(), ...young.keys()])].sort();
  return keys.flatMap((key): ManifestChange[] => {
    const [from, to] = [old.get(key), young.get(key)];
    const object = identityOf(to ?? from ?? {});
    if (from === undefined) return [{ object, change: "added", fields: [] }];
    if (to === undefined) return [{ object, change: "removed", fields: [] }];
    return deepEqual(from, to) ? [] : [{ object, change: "changed", fields: fieldChanges(from, to) }];
  });
}

/** For a Secret, only the names of changed fields are reported; its metadata is not secret. */
function fieldChanges(from: Content, to: Content): FieldChange[] {
  const changes = diffValues(from, to);
  if (to["kind"] !== "Secret" || groupOf(to) !== "") return changes;
  return changes.map((change) => (/^(data|stringData)(\W|$)/.test(change.path) ? { path: change.path } : change));
}

function objectsOf(manifest: string): Map<string, Content> {
  const objects = new Map<string, Content>();
  for (const content of documentsOf(manifest)) {
    const { group, kind, namespace = "", name } = identityOf(content);
    const key = [group, kind, namespace, name].join("/");
    // If a chart renders an object twice, the last one is applied.
    objects.set(key, content);
  }
  return objects;
}

function documentsOf(manifest: string): Content[] {
  const documents = parseAllDocuments(manifest);
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    // The parser's message quotes the faulty lines, which may be secret.
    if (document.errors.length > 0) throw new InvalidInput("the manifest is not valid YAML");
    const content: unknown = document.toJS({ maxAliasCount: 1_000 });
    if (!isRecord(content)) return [];
    const { items } = content;
    return content["kind"] === "List" && Array.isArray(items) ? items.filter(isRecord) : [content];
  });
}

function identityOf(content: Content): ObjectIdentity {
  const metadata = isRecord(content["metadata"]) ? content["metadata"] : {};
  const { namespace } = metadata;
  return {
    group: groupOf(content),
    kind: textOf(content["kind"]),
    namespace: typeof namespace === "string" ? namespace : undefined,
    name: textOf(metadata["name"]),
  };
}

function groupOf({ apiVersion }: Content): string {
  const parts = textOf(apiVersion).split("/");
  return parts.length > 1 ? (parts[0] ?? "") : "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
