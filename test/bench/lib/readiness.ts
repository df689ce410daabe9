import { once } from "node:events";
import { connect } from "node:net";
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

/**
 * A nearby machine accepts a connection immediately. A rejection by the rules of a Service without a pod is often
 * noticed only a second later, when the kernel retries; this does not wait for that.
 */
const connectLimitMs = 50;
const answerLimitMs = 5_000;
const longestWaitMs = 300_000;

/** Asks an API server for /readyz every 20 ms, and says when the first 200 came (as `performance.now()` has it). */
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
