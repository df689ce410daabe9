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

/** The requested resource version is no longer kept; list again. */
export class Gone extends ButlerErrorBase {
  readonly code = "GONE";
  readonly httpStatus = 410;
  readonly isRetryable = true;
}

/** The server asks to come back later, and says when. */
export class Throttled extends Unavailable {
  override readonly code = "THROTTLED";
  override readonly httpStatus = 429;
  readonly retryAfterMs: number;

  constructor(message: string, options: ButlerErrorOptions & { readonly retryAfterMs: number }) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What the API server answered when it was not the thing asked for. */
export interface FailedResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
  /** What was being done, for the message: `get tenantclusters payments/blue`. */
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

/** The typed error for a refused or failed request. */
export function errorFromResponse({ status, retryAfter, body, action }: FailedResponse): ButlerError {
  const answer = parseStatus(body);
  const message = `${action}: ${answer.message || `HTTP ${status}`}`;
  const options = { details: { status, ...(answer.reason === undefined ? {} : { reason: answer.reason }) } };
  if (status === 429) return new Throttled(message, { ...options, retryAfterMs: parseRetryAfterMs(retryAfter) });
  if (answer.reason === "AlreadyExists") return new AlreadyExists(message, options);
  const ErrorForStatus = classByStatus[status] ?? (status >= 500 ? Unavailable : InvalidInput);
  return new ErrorForStatus(message, options);
}

/** Seconds or an HTTP date (RFC 9110, section 10.2.3), as milliseconds from now. */
export function parseRetryAfterMs(header: string | undefined, now = Date.now()): number {
  if (header === undefined || header.trim() === "") return defaultRetryAfterMs;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? defaultRetryAfterMs : Math.max(0, date - now);
}

function parseStatus(body: string): { message: string; reason: string | undefined } {
  try {
    const parsed: unknown = JSON.parse(body);
    if (isRecord(parsed)) {
      return {
        message: typeof parsed["message"] === "string" ? parsed["message"] : "",
        reason: typeof parsed["reason"] === "string" ? parsed["reason"] : undefined,
      };
    }
  } catch {
    // Not every answer is a Status object: proxies and health checks speak plain text.
  }
  return { message: body.trim().slice(0, 500), reason: undefined };
}
