import { request } from "node:https";
import type { ApiEndpoint } from "@butler/api-external";
import { describeError } from "@butler/std";

/** Whether a control plane is ready, and if not, why. */
export type ProbeAnswer = { readonly isReady: true } | { readonly isReady: false; readonly message: string };

/** Probes whether a control plane is ready. Rejects only when the signal aborts. */
export type ControlPlaneProbe = (endpoint: ApiEndpoint, signal: AbortSignal) => Promise<ProbeAnswer>;

const limitMs = 1_000;

/** Probes over TLS. A server that denies anonymous access has started, too. */
export const probeControlPlane: ControlPlaneProbe = async ({ host, port }, signal) => {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const status = await statusOf({ host, port, signal: AbortSignal.any([signal, limit]) });
    return status < 500 ? { isReady: true } : { isReady: false, message: `/readyz returned HTTP ${status}` };
  } catch (error) {
    signal.throwIfAborted();
    // A name with several addresses fails with all of their errors at once; the AggregateError itself has no message.
    const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
    const message = limit.aborted ? `no response within ${limitMs} ms` : describeError(cause);
    return { isReady: false, message };
  }
};

function statusOf({ host, port, signal }: ApiEndpoint & { signal: AbortSignal }): Promise<number> {
  return new Promise((resolve, reject) => {
    // No secrets are sent and the response is not trusted, so the certificate is not verified.
    const options = { host, port, path: "/readyz", rejectUnauthorized: false, agent: false, signal };
    const call = request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on("error", reject);
    call.end();
  });
}
