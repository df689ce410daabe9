import https from "node:https";
import type { CertificatePair } from "@butler/pki";

/** Where and as whom to ask. */
export interface HealthProbe {
  readonly target: { readonly port: number } | { readonly socketPath: string };
  readonly path: string;
  readonly caPem: string;
  readonly client: CertificatePair;
}

const answerTimeoutMs = 3_000;

/** Asks once over TLS and gives the answer's text when its status is 200; any failure to connect is undefined too. */
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
 * Whether the controller manager, by its `/healthz?verbose`, has built its controllers. Before that it calls itself
 * healthy too, but a restart of the API server would still end it.
 */
export function hasBuiltControllers(verboseHealth: string): boolean {
  return [...verboseHealth.matchAll(/^\[\+\](\S+) ok$/gm)].some(([, check]) => check?.endsWith("-controller") === true);
}
