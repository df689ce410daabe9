import { cliAccountName } from "@butler/access";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { type Clock, isRecord, NotFound, sleep, Unavailable } from "@butler/std";
import { stringify } from "yaml";

/** Access of users to the API of the management cluster. */
export interface KubernetesAddress {
  readonly server: string;
  /** CA certificates of the server, PEM-encoded. */
  readonly caPem: string;
}

/** How long to wait for a new account; it is usually created within a few hundredths of a second. */
const patienceMs = 10_000;
const pauseMs = 50;

/** Requests a token of a user's ServiceAccount, and waits until the account exists. */
export async function requestAccountToken(
  { client, clock, signal }: { readonly client: ApiClient; readonly clock: Clock; readonly signal: AbortSignal },
  { uid, namespace, seconds }: { readonly uid: string; readonly namespace: string; readonly seconds: number },
): Promise<string> {
  const name = cliAccountName(uid);
  const request: DynamicObject = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: { name, namespace },
    spec: { expirationSeconds: seconds },
  };
  const untilMs = clock.monotonicMs() + patienceMs;
  for (;;) {
    try {
      const made = await client.create(builtinKinds.ServiceAccount, request, { subresource: "token", signal });
      const status: unknown = made["status"];
      if (isRecord(status) && typeof status["token"] === "string") return status["token"];
      throw new Unavailable("the TokenRequest response for the CLI has no token");
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      if (clock.monotonicMs() > untilMs) throw new Unavailable("the ServiceAccount for the CLI is not ready");
      await sleep(clock, pauseMs, signal);
    }
  }
}

/** The kubeconfig of a user: one cluster, one token. */
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
