import { request } from "node:https";
import type { ApiEndpoint } from "@butler/api-external";
import { describeError } from "@butler/std";

/** Whether a control plane answers, and if not, why. */
export type ProbeAnswer = { readonly isReady: true } | { readonly isReady: false; readonly message: string };

/** Asks a control plane whether it is ready. Never rejects but for the signal. */
export type ControlPlaneProbe = (endpoint: ApiEndpoint, signal: AbortSignal) => Promise<ProbeAnswer>;

const limitMs = 1_000;

/** Asks over TLS. One that refuses to tell strangers has started all the same. */
export const probeControlPlane: ControlPlaneProbe = async ({ host, port }, signal) => {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const status = await statusOf({ host, port, signal: AbortSignal.any([signal, limit]) });
    return status < 500 ? { isReady: true } : { isReady: false, message: `it answers with ${status}` };
  } catch (error) {
    signal.throwIfAborted();
    // A name with several addresses fails with all of their errors at once and says nothing by itself.
    const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
    const message = limit.aborted ? `it does not answer within ${limitMs} ms` : describeError(cause);
    return { isReady: false, message };
  }
};

function statusOf({ host, port, signal }: ApiEndpoint & { signal: AbortSignal }): Promise<number> {
  return new Promise((resolve, reject) => {
    // Nothing secret is sent and nothing in the answer is believed, so whose certificate it is does not matter.
    const options = { host, port, path: "/readyz", rejectUnauthorized: false, agent: false, signal };
    const call = request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on("error", reject);
    call.end();
  });
}
