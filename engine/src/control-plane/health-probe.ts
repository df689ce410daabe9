import https from "node:https";
import type { CertificatePair } from "@butler/pki";

/** The endpoint and credentials of the probe. */
export interface HealthProbe {
  readonly target: { readonly port: number } | { readonly socketPath: string };
  readonly path: string;
  readonly caPem: string;
  readonly client: CertificatePair;
}

const answerTimeoutMs = 3_000;

/** Sends one request over TLS and returns the response body if the status is 200; undefined on any failure. */
export function probeHealth({ target, path, caPem, client }: HealthProbe): Promise<string | undefined> {
  return new Promise((resolve) => {
    const call = https.get({
      ...target,
      host: "127.0.0.1",
      path,
      servername: "localhost",
      ca: caPem,
      cert: client.cert,
      key: client.key,
      agent: false,
      timeout: answerTimeoutMs,
    });
    call.once("response", (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.once("end", () => resolve(response.statusCode === 200 ? body : undefined));
    });
    call.once("timeout", () => call.destroy());
    call.on("error", () => resolve(undefined));
    call.once("close", () => resolve(undefined));
  });
}

/**
 * Whether the controller manager, according to its `/healthz?verbose`, has built its controllers. It reports healthy
 * before that, too, but would still exit on a restart of the API server.
 */
export function hasBuiltControllers(verboseHealth: string): boolean {
  return [...verboseHealth.matchAll(/^\[\+\](\S+) ok$/gm)].some(([, check]) => check?.endsWith("-controller") === true);
}
