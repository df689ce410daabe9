import { deepEqual, InvalidInput, isRecord } from "@butler/std";
import { parseAllDocuments } from "yaml";
import { diffValues, type FieldChange } from "./diff-values.ts";

/** Which object of a manifest. Its version of the API is no part of that: another one is a change of the object. */
export interface ObjectIdentity {
  readonly group: string;
  readonly kind: string;
  /** As the manifest has it; undefined where it leaves that to the release. */
  readonly namespace: string | undefined;
  readonly name: string;
}

/** What becomes of an object from one manifest to the other. */
export interface ManifestChange {
  readonly object: ObjectIdentity;
  readonly change: "added" | "removed" | "changed";
  /** What changed within it; nothing for what comes or goes. What is secret has no values here. */
  readonly fields: readonly FieldChange[];
}

type Content = Readonly<Record<string, unknown>>;

/** Compares what two revisions of a release consist of, object by object, in the order of their identities. */
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

/** Of a Secret only the names of what changed are told; its labels and the like are no secret. */
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
    // A chart that renders an object twice means the last one: that is how it is applied.
    objects.set(key, content);
  }
  return objects;
}

function documentsOf(manifest: string): Content[] {
  const documents = parseAllDocuments(manifest);
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    // What the parser says quotes the lines that it stumbled over, and they may be secret.
    if (document.errors.length > 0) throw new InvalidInput("the manifest is not YAML");
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
