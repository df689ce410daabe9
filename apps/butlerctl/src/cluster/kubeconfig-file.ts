import { InvalidInput, isRecord, type JsonObject } from "@butler/std";
import { type Document, isMap, isSeq, parse, parseDocument, stringify, type YAMLMap, type YAMLSeq } from "yaml";

/** The names of a cluster's entries in a merged kubeconfig. */
export interface EntryNames {
  readonly cluster: string;
  readonly user: string;
  readonly context: string;
}

/** The names of a cluster's entries: with its namespace, because another team may have a cluster of that name. */
export function entryNames({ name, namespace }: { name: string; namespace?: string | undefined }): EntryNames {
  const context = namespace === undefined ? name : `${namespace}/${name}`;
  return { cluster: context, user: `${context}-admin`, context };
}

/** The kubeconfig of one cluster, with its entries under other names. */
export function renameEntries(text: string, names: EntryNames): string {
  const { cluster, user } = currentEntries(text);
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: names.cluster, cluster }],
      users: [{ name: names.user, user }],
      contexts: [{ name: names.context, context: { cluster: names.cluster, user: names.user } }],
      "current-context": names.context,
    },
    { lineWidth: 0 },
  );
}

export interface Merge {
  /** The kubeconfig of the one cluster. */
  readonly added: string;
  readonly names: EntryNames;
  /** Whether its context becomes the current one. */
  readonly isCurrent: boolean;
}

/** A kubeconfig with a cluster's entries added or replaced; everything else is left unchanged. */
export function mergeKubeconfig(existing: string, { added, names, isCurrent }: Merge): string {
  const { cluster, user } = currentEntries(added);
  const document = parseDocument(existing.trim() === "" ? "apiVersion: v1\nkind: Config\n" : existing);
  if (document.errors.length > 0 || !isMap(document.contents)) {
    throw new InvalidInput("cannot merge: the target file is not a kubeconfig; nothing was changed");
  }
  put(document, "clusters", { name: names.cluster, cluster });
  put(document, "users", { name: names.user, user });
  put(document, "contexts", { name: names.context, context: { cluster: names.cluster, user: names.user } });
  if (isCurrent || !document.get("current-context")) document.set("current-context", names.context);
  return document.toString({ lineWidth: 0 });
}

function put(document: Document, list: string, entry: JsonObject & { name: string }): void {
  const present: unknown = document.get(list);
  const entries = isSeq(present) ? (present as YAMLSeq<YAMLMap>) : document.createNode([]);
  if (!isSeq(present)) document.set(list, entries);
  const at = entries.items.findIndex((item) => isMap(item) && item.get("name") === entry.name);
  const node = document.createNode(entry);
  if (at >= 0) entries.items[at] = node;
  else entries.add(node);
}

function currentEntries(text: string): { cluster: JsonObject; user: JsonObject } {
  const config: unknown = parse(text);
  if (!isRecord(config)) throw new InvalidInput("the cluster's kubeconfig is invalid");
  const { context } = entryOf(config, "contexts", config["current-context"]);
  if (!isRecord(context)) throw new InvalidInput("the cluster's kubeconfig has no current context");
  const { cluster } = entryOf(config, "clusters", context["cluster"]);
  const { user } = entryOf(config, "users", context["user"]);
  if (!isRecord(cluster) || !isRecord(user)) throw new InvalidInput("the cluster's kubeconfig is incomplete");
  return { cluster, user };
}

function entryOf(config: JsonObject, list: string, name: unknown): JsonObject {
  const entries = config[list];
  const found: unknown = Array.isArray(entries)
    ? entries.find((entry) => isRecord(entry) && entry["name"] === name)
    : undefined;
  return isRecord(found) ? found : {};
}
