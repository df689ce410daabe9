import { credentialCommand, type StoredLogin } from "@butler/cli-session";
import { InvalidInput } from "@butler/std";
import { type Document, isMap, isSeq, parseDocument, stringify } from "yaml";
import type { EntryNames } from "../cluster/kubeconfig-file.ts";

/** The names of the entries of a sign-in. */
export const loginEntries: EntryNames = { cluster: "butler", user: "butler", context: "butler" };

/** A kubeconfig that gets tokens from butlerctl: it contains none, and kubectl always gets a valid one. */
export function loginKubeconfig({ server, kubernetes }: StoredLogin): string {
  const [command, word] = credentialCommand;
  const { cluster, user, context } = loginEntries;
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: cluster,
          cluster: {
            server: kubernetes.server,
            "certificate-authority-data": Buffer.from(kubernetes.certificateAuthority).toString("base64"),
          },
        },
      ],
      users: [
        {
          name: user,
          user: {
            exec: {
              apiVersion: "client.authentication.k8s.io/v1",
              command,
              args: [word, "--server", server],
              interactiveMode: "Never",
              installHint: "butlerctl must be in your PATH.",
            },
          },
        },
      ],
      contexts: [{ name: context, context: { cluster, user } }],
      "current-context": context,
    },
    { lineWidth: 0 },
  );
}

/** A kubeconfig without the entries of a sign-in with a server; undefined when it has none of that server's. */
export function withoutLogin(existing: string, server: string): string | undefined {
  const document = parseDocument(existing);
  if (document.errors.length > 0 || !isMap(document.contents)) {
    throw new InvalidInput("the kubeconfig is invalid; nothing was changed");
  }
  if (!isOurs(document, server)) return undefined;
  drop(document, "contexts", loginEntries.context);
  drop(document, "users", loginEntries.user);
  drop(document, "clusters", loginEntries.cluster);
  if (document.get("current-context") === loginEntries.context) document.set("current-context", "");
  return document.toString({ lineWidth: 0 });
}

/** An unrelated context may have the same name. */
function isOurs(document: Document, server: string): boolean {
  const { users } = document.toJS() as { users?: { name?: string; user?: { exec?: { args?: unknown } } }[] };
  const args = users?.find(({ name }) => name === loginEntries.user)?.user?.exec?.args;
  return Array.isArray(args) && args[0] === credentialCommand[1] && args.includes(server);
}

function drop(document: Document, list: string, name: string): void {
  const entries: unknown = document.get(list);
  if (!isSeq(entries)) return;
  entries.items = entries.items.filter((item) => !isMap(item) || item.get("name") !== name);
}
