import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { isRecord } from "@butler/std";
import { parse } from "yaml";

type Entry = Readonly<Record<string, unknown>>;

/** A context with its cluster and user, as in the files. */
export interface PlainContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly cluster: Entry;
  readonly user: Entry;
}

/** The merged content of kubeconfig files. */
export interface PlainKubeconfig {
  readonly currentContext: string;
  readonly contexts: readonly PlainContext[];
}

/** Where to look for a kubeconfig. */
export interface KubeconfigPlace {
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Fields with a file path, relative to their kubeconfig. */
const pathFields = ["certificate-authority", "client-certificate", "client-key", "tokenFile"];

/**
 * Reads the kubeconfig that a command is to use, as kubectl finds it: the file that is named, those of KUBECONFIG, or
 * the one at home. Undefined when there is none, or one cannot be read: the full client then reports what is wrong.
 */
export function readKubeconfigFiles({ file, environment }: KubeconfigPlace): PlainKubeconfig | undefined {
  const listed = (environment["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  const paths = file === undefined ? listed : [file];
  const found = paths.length > 0 ? paths : [join(environment["HOME"] ?? homedir(), ".kube", "config")];
  try {
    return mergeKubeconfigs(found.map((path) => ({ folder: dirname(resolve(path)), content: readYaml(path) })));
  } catch {
    return undefined;
  }
}

function readYaml(path: string): unknown {
  return parse(readFileSync(path, "utf8"));
}

interface ReadFile {
  readonly folder: string;
  readonly content: unknown;
}

/** Merges files: of two entries with one name the first wins. Undefined when something is unusual. */
export function mergeKubeconfigs(files: readonly ReadFile[]): PlainKubeconfig | undefined {
  if (!files.every(({ content }) => isRecord(content))) return undefined;
  const clusters = entriesOf(files, "cluster");
  const users = entriesOf(files, "user");
  const contexts = [...entriesOf(files, "context")].flatMap(([name, context]): PlainContext[] => {
    const cluster = clusters.get(text(context["cluster"]));
    const user = users.get(text(context["user"])) ?? {};
    return cluster === undefined ? [] : [{ name, namespace: text(context["namespace"]) || undefined, cluster, user }];
  });
  const named = files.map(({ content }) => (isRecord(content) ? text(content["current-context"]) : ""));
  return { currentContext: named.find((name) => name !== "") ?? "", contexts };
}

function entriesOf(files: readonly ReadFile[], field: "cluster" | "user" | "context"): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { folder, content } of files) {
    const list: unknown = isRecord(content) ? content[`${field}s`] : undefined;
    for (const each of Array.isArray(list) ? (list as unknown[]) : []) {
      if (!isRecord(each) || entries.has(text(each["name"]))) continue;
      const entry = each[field];
      entries.set(text(each["name"]), isRecord(entry) ? withWholePaths(entry, folder) : {});
    }
  }
  return entries;
}

function withWholePaths(entry: Entry, folder: string): Entry {
  return Object.fromEntries(
    Object.entries(entry).map(([field, value]) => [
      field,
      pathFields.includes(field) && typeof value === "string" && value !== "" ? resolve(folder, value) : value,
    ]),
  );
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
