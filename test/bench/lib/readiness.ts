import { once } from "node:events";
import { connect } from "node:net";
import { readTenantKubeconfig } from "@butler/kube";
import { eventually } from "@butler/testkit";
import { Agent, type buildConnector } from "undici";

/** Address and credentials of an API server. */
export interface ApiServerReach {
  /** `https://` with host and port. */
  readonly origin: string;
  readonly tls: {
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    /** The name to expect in the certificate, if it does not cover the address. */
    readonly servername?: string;
  };
}

/**
 * A nearby machine accepts a connection immediately. A rejection by the rules of a Service without a pod is often
 * noticed only a second later, when the kernel retries; this does not wait for that.
 */
const connectLimitMs = 50;
const answerLimitMs = 5_000;
const longestWaitMs = 300_000;

/** Polls /readyz of an API server every 20 ms, and returns the time of the first 200 (as in `performance.now()`). */
export async function firstReady({ origin, tls }: ApiServerReach): Promise<number> {
  const { hostname, port } = new URL(origin);
  const connecting: buildConnector.BuildOptions = { ...tls, timeout: answerLimitMs };
  const agent = new Agent({ connections: 1, pipelining: 1, allowH2: false, connect: connecting });
  let last = "no answer";
  const ask = async (): Promise<boolean> => {
    if (!(await isListening(hostname, Number(port)))) return false;
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

/** Whether a process accepts connections there. */
export async function isListening(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(connectLimitMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The address and credentials in a kubeconfig of Steward. */
export function reachOf(kubeconfig: string): ApiServerReach {
  const config = readTenantKubeconfig(kubeconfig);
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  const decoded = (text = ""): string => Buffer.from(text, "base64").toString();
  return {
    origin: cluster?.server ?? "",
    tls: { ca: decoded(cluster?.caData), cert: decoded(user?.certData), key: decoded(user?.keyData) },
  };
}
