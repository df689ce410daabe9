import { readTenantKubeconfig } from "@butler/kube";
import { eventually } from "@butler/testkit";
import { Agent, type buildConnector } from "undici";

/** Where an API server is reached, and who asks. */
export interface ApiServerReach {
  /** `https://` with host and port. */
  readonly origin: string;
  readonly tls: {
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    /** The name to expect in the certificate, where the address is not in it. */
    readonly servername?: string;
  };
}

/** A connection that has come to nothing by then is tried anew: the first packets to a new address may be lost. */
const connectLimitMs = 1_000;
const longestWaitMs = 300_000;

/** Asks an API server for /readyz every 20 ms, and says when the first 200 came (as `performance.now()` has it). */
export async function firstReady({ origin, tls }: ApiServerReach): Promise<number> {
  const connecting: buildConnector.BuildOptions = { ...tls, timeout: connectLimitMs };
  const agent = new Agent({ connections: 1, pipelining: 1, allowH2: false, connect: connecting });
  let last = "no answer";
  const ask = async (): Promise<boolean> => {
    const { statusCode, body } = await agent.request({ origin, path: "/readyz", method: "GET" });
    last = `${statusCode} ${await body.text()}`;
    return statusCode === 200;
  };
  try {
    const what = (): string => `/readyz of ${origin}, whose last answer was ${last}`;
    await eventually(ask, { timeoutMs: longestWaitMs, intervalMs: 20, what });
    return performance.now();
  } finally {
    await agent.destroy();
  }
}

/** The reach that a kubeconfig of Steward's gives. */
export function reachOf(kubeconfig: string): ApiServerReach {
  const config = readTenantKubeconfig(kubeconfig);
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  const decoded = (text = ""): string => Buffer.from(text, "base64").toString();
  return {
    origin: cluster?.server ?? "",
    tls: { ca: decoded(cluster?.caData), cert: decoded(user?.certData), key: decoded(user?.keyData) },
  };
}
