import {
  type ButlerError,
  ButlerError as ButlerErrorBase,
  type ButlerErrorOptions,
  Conflict,
  Forbidden,
  InvalidInput,
  isRecord,
  NotFound,
  Timeout,
  Unauthenticated,
  Unavailable,
} from "@butler/std";

/** The object exists already. */
export class AlreadyExists extends Conflict {
  override readonly code = "ALREADY_EXISTS";
}

/** The requested resource version has expired; list again. */
export class Gone extends ButlerErrorBase {
  readonly code = "GONE";
  readonly httpStatus = 410;
  readonly isRetryable = true;
}

/** The server asks to retry after a given time. */
export class Throttled extends Unavailable {
  override readonly code = "THROTTLED";
  override readonly httpStatus = 429;
  readonly retryAfterMs: number;

  constructor(message: string, options: ButlerErrorOptions & { readonly retryAfterMs: number }) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** An answer is larger than is read from this server. A list can be read in smaller pages. */
export class AnswerTooLarge extends ButlerErrorBase {
  readonly code = "ANSWER_TOO_LARGE";
  readonly httpStatus = 502;
  readonly isRetryable = false;

  constructor(action: string, maximumBytes: number) {
    super(`${action}: the answer is larger than ${Math.round(maximumBytes / 1024 / 1024)} MiB`, {
      hint: "Delete what makes the objects so large; Butler does not read more from a tenant cluster at once.",
      // The server did answer.
      details: { status: 200 },
    });
  }
}

/** One of several reasons for which the API server, or an admission webhook, rejected a request. */
export interface RefusalCause {
  /** Path of the field, such as `spec.workers.replicas`; empty when the object as a whole is meant. */
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** All reasons of a rejection; empty when it has none. */
export function refusalCauses(error: unknown): readonly RefusalCause[] {
  const causes = error instanceof ButlerErrorBase ? error.details["causes"] : undefined;
  return Array.isArray(causes) ? (causes as readonly RefusalCause[]) : [];
}

/** An error response of the API server. */
export interface FailedResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
  /** The attempted action, for the message: `get tenantclusters payments/blue`. */
  readonly action: string;
}

const defaultRetryAfterMs = 1_000;

type ErrorClass = new (message: string, options: ButlerErrorOptions) => ButlerError;

const classByStatus: Readonly<Record<number, ErrorClass>> = {
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  408: Timeout,
  409: Conflict,
  410: Gone,
  504: Timeout,
};

/** The typed error for a rejected or failed request. */
export function errorFromResponse({ status, retryAfter, body, action }: FailedResponse): ButlerError {
  const answer = parseStatus(body);
  const message = `${action}: ${answer.message || `HTTP ${status}`}`;
  const { reason, causes } = answer;
  const details = { status, ...(reason && { reason }), ...(causes.length > 0 && { causes }) };
  const options = { details };
  // An API server that is shutting down answers 503 with Retry-After: it has not processed the request.
  const isPutOff = status === 429 || (status === 503 && retryAfter !== undefined);
  if (isPutOff) return new Throttled(message, { ...options, retryAfterMs: parseRetryAfterMs(retryAfter) });
  if (reason === "AlreadyExists") return new AlreadyExists(message, options);
  const ErrorForStatus = classByStatus[status] ?? (status >= 500 ? Unavailable : InvalidInput);
  return new ErrorForStatus(message, options);
}

/**
 * The conflict that a rejected JSON patch stands for: a tested field or a path in it has changed. For this, the API
 * server answers 422 without any cause; an invalid result of the patch has causes or is denied by a webhook.
 */
export function conflictOfPatch(error: unknown, action: string): unknown {
  const isRejected = error instanceof InvalidInput && error.details["status"] === 422;
  if (!isRejected || refusalCauses(error).length > 0 || !error.message.includes(patchDoesNotApply)) return error;
  return new Conflict(`${action}: another client changed the object in the meantime; nothing was written`, {
    hint: "Check its current state and try again.",
    cause: error,
  });
}

const patchDoesNotApply = "the server rejected our request due to an error in our request";

/** Seconds or an HTTP date (RFC 9110, section 10.2.3), as milliseconds from now. */
export function parseRetryAfterMs(header: string | undefined, now = Date.now()): number {
  if (header === undefined || header.trim() === "") return defaultRetryAfterMs;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? defaultRetryAfterMs : Math.max(0, date - now);
}

function parseStatus(body: string): { message: string; reason: string | undefined; causes: RefusalCause[] } {
  try {
    const parsed: unknown = JSON.parse(body);
    if (isRecord(parsed)) {
      return {
        message: typeof parsed["message"] === "string" ? parsed["message"] : "",
        reason: typeof parsed["reason"] === "string" ? parsed["reason"] : undefined,
        causes: parseCauses(parsed["details"]),
      };
    }
  } catch {
    // Not every response is a Status object: proxies and health checks respond with plain text.
  }
  return { message: body.trim().slice(0, 500), reason: undefined, causes: [] };
}

function parseCauses(details: unknown): RefusalCause[] {
  const causes = isRecord(details) ? details["causes"] : undefined;
  if (!Array.isArray(causes)) return [];
  const text = (cause: Record<string, unknown>, field: string): string => {
    const value = cause[field];
    return typeof value === "string" ? value : "";
  };
  return causes
    .filter(isRecord)
    .map((cause) => ({ field: text(cause, "field"), reason: text(cause, "reason"), message: text(cause, "message") }));
}
