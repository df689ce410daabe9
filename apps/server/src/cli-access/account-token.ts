import { cliAccountName } from "@butler/access";
import { namespaces } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { type Clock, isRecord, NotFound, sleep, Unavailable } from "@butler/std";
import { stringify } from "yaml";

/** How people reach the API of the management cluster. */
export interface KubernetesAddress {
  readonly server: string;
  /** Certificates that vouch for it, in PEM form. */
  readonly caPem: string;
}

/** How long a new account is waited for; whoever makes it is usually done in a few hundredths of a second. */
const patienceMs = 10_000;
const pauseMs = 50;

/** Asks for a token of a person's ServiceAccount; the account may still be in the making. */
export async function requestAccountToken(
  { client, clock, signal }: { readonly client: ApiClient; readonly clock: Clock; readonly signal: AbortSignal },
  { uid, seconds }: { readonly uid: string; readonly seconds: number },
): Promise<string> {
  const name = cliAccountName(uid);
  const request: DynamicObject = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: { name, namespace: namespaces.system },
    spec: { expirationSeconds: seconds },
  };
  const untilMs = clock.monotonicMs() + patienceMs;
  for (;;) {
    try {
      const made = await client.create(builtinKinds.ServiceAccount, request, { subresource: "token", signal });
      const status: unknown = made["status"];
      if (isRecord(status) && typeof status["token"] === "string") return status["token"];
      throw new Unavailable("the token of the command line is missing in the answer");
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      if (clock.monotonicMs() > untilMs) throw new Unavailable("the account of the command line is not made");
      await sleep(clock, pauseMs, signal);
    }
  }
}

/** The kubeconfig of a person: one cluster, one token. */
export function kubeconfigText({ server, caPem }: KubernetesAddress, token: string): string {
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        { name: "butler", cluster: { server, "certificate-authority-data": Buffer.from(caPem).toString("base64") } },
      ],
      users: [{ name: "butler", user: { token } }],
      contexts: [{ name: "butler", context: { cluster: "butler", user: "butler" } }],
      "current-context": "butler",
    },
    { lineWidth: 0 },
  );
}
