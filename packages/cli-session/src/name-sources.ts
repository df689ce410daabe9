import type { NameQuestion, NameSource, NameSources, Terminal } from "@butler/cli-kit";
import { readKubeconfigFiles } from "@butler/kube/direct";
import type { Kind } from "@butler/resource";
import { type Session, type SessionOptions, withSession } from "./session.ts";

const namespaceKind: Kind = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" };

/** Limit of completions; longer lists are not useful. */
const mostNames = 500;

/** Object names for shell completion, by the placeholder of arguments and options. Read from the live API. */
export function namesOfKinds(terminal: Terminal, kinds: Readonly<Record<string, Kind>>): NameSources {
  const ofKinds = Object.entries({ namespace: namespaceKind, ...kinds }).map(([sort, kind]): [string, NameSource] => [
    sort,
    (question) => askWhileTyping(terminal, question, (session) => listNames(session, kind, question)),
  ]);
  const context: NameSource = ({ options }) => {
    const found = readKubeconfigFiles({ file: options["kubeconfig"], environment: terminal.environment });
    return Promise.resolve(found?.contexts.map(({ name }) => name) ?? []);
  };
  return { ...Object.fromEntries(ofKinds), context };
}

/** Queries the cluster that the typed words select. */
export function askWhileTyping<T>(
  terminal: Terminal,
  { options, signal }: NameQuestion,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { kubeconfig, context } = options;
  const place: SessionOptions = {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  };
  return withSession({ ...terminal, signal, loudness: "quiet", say: () => undefined }, place, work);
}

async function listNames(
  { client, signal, contextNamespace }: Session,
  kind: Kind,
  { options }: NameQuestion,
): Promise<readonly string[]> {
  // The namespace of a team has the team's name.
  const named = options["namespace"] ?? options["team"] ?? contextNamespace;
  const namespace = kind.scope === "Namespaced" ? named : undefined;
  const { items } = await client.list(kind, { namespace, metadataOnly: true, limit: mostNames, signal });
  return [...new Set(items.map(({ metadata }) => metadata.name))].sort();
}
