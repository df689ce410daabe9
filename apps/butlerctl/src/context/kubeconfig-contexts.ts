import { credentialCommand } from "@butler/cli-session";
import { InvalidInput, isRecord, type JsonObject } from "@butler/std";
import { isMap, isSeq, parse, parseDocument } from "yaml";

/** A kubeconfig file and its content. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
}

/** A context of a kubeconfig, with its cluster and user. */
export interface ContextEntry {
  readonly name: string;
  /** File that the context is in. */
  readonly file: string;
  readonly isCurrent: boolean;
  /** Address of the API server; empty when the cluster entry is missing. */
  readonly server: string;
  readonly user: string;
  readonly namespace: string | undefined;
  /** The butler-server that the context is signed in to, if any. */
  readonly signedInTo: string | undefined;
}

/** All contexts of the files. As with kubectl, the first entry wins when a name occurs twice. */
export function contextsIn(files: readonly ConfigFile[]): ContextEntry[] {
  const parsed = files.map(({ path, text }) => ({ path, config: parseConfig(path, text) }));
  const current = currentIn(parsed.map(({ config }) => config));
  const clusters = firstOf(parsed.flatMap(({ config }) => entriesOf(config, "clusters")));
  const users = firstOf(parsed.flatMap(({ config }) => entriesOf(config, "users")));
  const contexts = firstOf(
    parsed.flatMap(({ path, config }) => entriesOf(config, "contexts").map((entry) => ({ ...entry, file: path }))),
  );
  return [...contexts.values()].map((entry) => {
    const context = partIn(entry, "context");
    const cluster = partIn(clusters.get(textIn(context, "cluster")) ?? {}, "cluster");
    const user = textIn(context, "user");
    return {
      name: textIn(entry, "name"),
      file: textIn(entry, "file"),
      isCurrent: textIn(entry, "name") === current,
      server: textIn(cluster, "server"),
      user,
      namespace: textIn(context, "namespace") || undefined,
      signedInTo: signInOf(partIn(users.get(user) ?? {}, "user")),
    };
  });
}

function parseConfig(path: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    throw new InvalidInput(`${path} is not a kubeconfig: not valid YAML or JSON`);
  }
  if (value === null || value === undefined) return {};
  if (!isRecord(value)) throw new InvalidInput(`${path} is not a kubeconfig`);
  return value;
}

function currentIn(configs: readonly JsonObject[]): string {
  return configs.map((config) => textIn(config, "current-context")).find((name) => name !== "") ?? "";
}

function entriesOf(config: JsonObject, list: string): JsonObject[] {
  const entries = config[list];
  return Array.isArray(entries) ? entries.filter(isRecord) : [];
}

function firstOf(entries: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const entry of entries) {
    const name = textIn(entry, "name");
    if (!found.has(name)) found.set(name, entry);
  }
  return found;
}

function partIn(parent: JsonObject, key: string): JsonObject {
  return isRecord(parent[key]) ? parent[key] : {};
}

function textIn(parent: JsonObject, key: string): string {
  return typeof parent[key] === "string" ? parent[key] : "";
}

function signInOf(user: JsonObject): string | undefined {
  const { command, args } = partIn(user, "exec");
  const [program, word] = credentialCommand;
  if (command !== program || !Array.isArray(args) || args[0] !== word) return undefined;
  const server: unknown = args[args.indexOf("--server") + 1];
  return typeof server === "string" ? server : undefined;
}

/** A change to a kubeconfig. */
export interface ContextChange {
  /** The new current context. */
  readonly current?: string;
  /** A namespace for a context that is in this file. */
  readonly namespace?: { readonly context: string; readonly name: string };
}

/** The text of a kubeconfig with a change; everything else, including comments, is left unchanged. */
export function changeContext({ path, text }: ConfigFile, { current, namespace }: ContextChange): string {
  if (current === undefined && namespace === undefined) return text;
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) {
    throw new InvalidInput(`${path} is not a kubeconfig; nothing was changed`);
  }
  if (current !== undefined) document.set("current-context", current);
  if (namespace !== undefined) {
    const contexts: unknown = document.get("contexts");
    const at = isSeq(contexts)
      ? contexts.items.findIndex((item) => isMap(item) && item.get("name") === namespace.context)
      : -1;
    if (at < 0) throw new InvalidInput(`${path} has no context "${namespace.context}"; nothing was changed`);
    document.setIn(["contexts", at, "context", "namespace"], namespace.name);
  }
  return document.toString({ lineWidth: 0 });
}

/** The file that sets the current context: the first one that has it, otherwise the first one. */
export function fileOfCurrent(files: readonly ConfigFile[]): ConfigFile | undefined {
  return files.find(({ path, text }) => textIn(parseConfig(path, text), "current-context") !== "") ?? files[0];
}
