import { type Clock, InvalidInput, parseDurationMs, Timeout, withTimeLimit } from "@butler/std";
import {
  type AdmissionHandler,
  type AdmissionRequest,
  admissionReviewText,
  judgeAdmission,
  parseAdmissionReview,
  refusalAfter,
} from "./admission-review.ts";

/** The default maximum body size. */
export const defaultMaximumReviewBytes = 3 * 1024 * 1024;

/** An incoming HTTP call. */
export interface AdmissionCall {
  readonly method: string;
  /** Path and query; the API server writes its own time limit into the query. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}

/** The result of a call, for metrics. */
export type AdmissionResult = "allowed" | "denied" | "failed" | "timeout" | "malformed" | "aborted";

/** The HTTP response. */
export interface AdmissionAnswer {
  readonly httpStatus: number;
  readonly contentType: "application/json" | "text/plain";
  readonly body: string;
  readonly result: AdmissionResult;
  /** The handler's error, for the log only. */
  readonly failure?: unknown;
}

export interface AdmissionCallOptions {
  readonly handlers: ReadonlyMap<string, AdmissionHandler>;
  readonly clock: Clock;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Handlers by path; throws InvalidInput when two claim the same one. */
export function admissionHandlersByPath(handlers: readonly AdmissionHandler[]): ReadonlyMap<string, AdmissionHandler> {
  const byPath = new Map(handlers.map((handler) => [handler.path, handler]));
  if (byPath.size !== handlers.length) throw new InvalidInput("two admission handlers have the same path");
  return byPath;
}

/** Answers a call. Any failure inside a handler results in a denial. */
export async function answerAdmissionCall(
  call: AdmissionCall,
  options: AdmissionCallOptions,
): Promise<AdmissionAnswer> {
  const handler = options.handlers.get(pathOf(call.url));
  const refused = refuseUnread({ ...call, bodyBytes: call.body.length }, handler, Number.POSITIVE_INFINITY);
  if (refused !== undefined || handler === undefined)
    return refused ?? malformed(404, "no admission handler at this path");
  let request: AdmissionRequest;
  try {
    request = parseAdmissionReview(parseBody(call.body));
  } catch (error) {
    return malformed(400, error instanceof InvalidInput ? error.message : "the body is not JSON");
  }
  return judge(handler, request, options);
}

/** The rejection of a call by its headers; undefined when its body should be read. */
export function refuseUnread(
  call: Omit<AdmissionCall, "body"> & { readonly bodyBytes: number },
  handler: AdmissionHandler | undefined,
  maximumBytes: number,
): AdmissionAnswer | undefined {
  if (handler === undefined) return malformed(404, "no admission handler at this path");
  if (call.method !== "POST") return malformed(405, "an AdmissionReview requires POST");
  const mediaType = call.contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/json")
    return malformed(415, "an AdmissionReview requires Content-Type application/json");
  return call.bodyBytes > maximumBytes ? malformed(413, `the body is larger than ${maximumBytes} bytes`) : undefined;
}

/** The response to a call that is not a valid AdmissionReview. */
export function malformed(httpStatus: number, body: string): AdmissionAnswer {
  return { httpStatus, contentType: "text/plain", body, result: "malformed" };
}

/** The path of a URL without its query. */
export function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

/** The timeout of a call: ours, or four fifths of the API server's timeout, whichever is less. */
export function admissionLimitMs(url: string, ownLimitMs: number): number {
  const timeout = new URLSearchParams(url.slice(pathOf(url).length)).get("timeout");
  if (timeout === null) return ownLimitMs;
  try {
    return Math.min(ownLimitMs, parseDurationMs(timeout) * 0.8);
  } catch (error) {
    if (error instanceof InvalidInput) return ownLimitMs;
    throw error;
  }
}

async function judge(
  handler: AdmissionHandler,
  request: AdmissionRequest,
  { clock, limitMs, signal }: AdmissionCallOptions,
): Promise<AdmissionAnswer> {
  const answer = { httpStatus: 200, contentType: "application/json" } as const;
  try {
    const response = await withTimeLimit({ clock, limitMs, signal, action: handler.path }, (limited) =>
      judgeAdmission(handler, request, limited),
    );
    return { ...answer, body: admissionReviewText(response), result: response.allowed ? "allowed" : "denied" };
  } catch (failure) {
    const body = admissionReviewText(refusalAfter(failure, request, handler.path));
    return { ...answer, body, result: resultOf(failure, signal), failure };
  }
}

function resultOf(failure: unknown, signal: AbortSignal | undefined): AdmissionResult {
  if (signal?.aborted) return "aborted";
  return failure instanceof Timeout ? "timeout" : "failed";
}

function parseBody(body: Uint8Array): unknown {
  // A damaged byte would otherwise become a valid replacement character inside a name.
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
}
