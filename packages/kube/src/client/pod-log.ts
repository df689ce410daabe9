import { builtinKinds, type ObjectKey } from "@butler/resource";
import type { Requests } from "./impersonation.ts";
import { queryText, resourcePath } from "./paths.ts";

/** The wanted part of the log of a pod. */
export interface PodLogQuery {
  readonly container: string;
  readonly follow?: boolean | undefined;
  /** Of the container before its last restart. */
  readonly previous?: boolean | undefined;
  readonly timestamps?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  readonly limitBytes?: number | undefined;
}

/** The API path of a log. */
export function podLogPath(pod: ObjectKey, { follow, previous, timestamps, ...amounts }: PodLogQuery): string {
  const { container, ...limits } = amounts;
  const flags = { follow: follow || undefined, previous: previous || undefined, timestamps: timestamps || undefined };
  return resourcePath(builtinKinds.Pod, pod, "log") + queryText({ container, ...flags, ...limits });
}

/** Reads a log to its end. */
export async function readPodLog(
  transport: Pick<Requests, "stream">,
  pod: ObjectKey,
  { signal, ...query }: Omit<PodLogQuery, "follow"> & { readonly signal: AbortSignal },
): Promise<string> {
  const { body } = await transport.stream({
    method: "GET",
    path: podLogPath(pod, query),
    accept: "*/*",
    signal,
    action: `read the log of ${pod.name}`,
  });
  let text = "";
  for await (const chunk of body) text += String(chunk);
  return text;
}
