/**
 * Named errors. Each class has a stable code, an HTTP status and whether a retry can help, so that a controller, a
 * route and a command can all react to the same error without parsing its message.
 */

export interface ButlerErrorOptions {
  readonly cause?: unknown;
  /** Plain data for logs and problem details. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The remedy for the user, as a sentence. */
  readonly hint?: string;
}

/** The base class of every error that Butler throws on purpose. */
export abstract class ButlerError extends Error {
  abstract readonly code: string;
  abstract readonly httpStatus: number;
  /** True when the same call may succeed later without any change by the caller. */
  abstract readonly isRetryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;
  readonly hint: string | undefined;

  constructor(message: string, options: ButlerErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.details = options.details ?? {};
    this.hint = options.hint;
  }
}

/** The input is invalid and stays invalid until the caller changes it. */
export class InvalidInput extends ButlerError {
  readonly code: string = "INVALID_INPUT";
  readonly httpStatus: number = 400;
  readonly isRetryable: boolean = false;
}

/** The caller could not be authenticated, or the credentials have expired. */
export class Unauthenticated extends ButlerError {
  readonly code: string = "UNAUTHENTICATED";
  readonly httpStatus: number = 401;
  readonly isRetryable: boolean = true;
}

/** The caller is authenticated but lacks the permission. Granting it makes a retry succeed. */
export class Forbidden extends ButlerError {
  readonly code: string = "FORBIDDEN";
  readonly httpStatus: number = 403;
  readonly isRetryable: boolean = true;
}

/** The thing does not exist. */
export class NotFound extends ButlerError {
  readonly code: string = "NOT_FOUND";
  readonly httpStatus: number = 404;
  readonly isRetryable: boolean = false;
}

/** For calls whose object may already be deleted: `await client.delete(...).catch(ignoreNotFound)`. */
export function ignoreNotFound(error: unknown): void {
  if (!(error instanceof NotFound)) throw error;
}

/** The object was modified concurrently, or exists already. Read it again, then retry. */
export class Conflict extends ButlerError {
  readonly code: string = "CONFLICT";
  readonly httpStatus: number = 409;
  readonly isRetryable: boolean = true;
}

/** The other side is unavailable. */
export class Unavailable extends ButlerError {
  readonly code: string = "UNAVAILABLE";
  readonly httpStatus: number = 503;
  readonly isRetryable: boolean = true;
}

/** The other side did not respond in time. */
export class Timeout extends ButlerError {
  readonly code: string = "TIMEOUT";
  readonly httpStatus: number = 504;
  readonly isRetryable: boolean = true;
}

/** An internal invariant was violated. */
export class Bug extends ButlerError {
  readonly code: string = "BUG";
  readonly httpStatus: number = 500;
  readonly isRetryable: boolean = false;
}

/** The message of any thrown value, with its causes, on one line. */
export function describeError(error: unknown): string {
  const parts = new Set([messageOf(error)]);
  const seen = new Set([error]);
  for (let current = causeOf(error); current !== undefined && !seen.has(current); current = causeOf(current)) {
    seen.add(current);
    const message = messageOf(current);
    // A wrapping error often repeats the message of its cause.
    const isSaid = [...parts].some((part) => part.endsWith(`: ${message}`));
    if (parts.size < 5 && !isSaid) parts.add(message);
  }
  return [...parts].join(": ").replace(/\s*[\r\n]+\s*/g, " ");
}

function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  // An object's toString may be missing or may throw in turn.
  return typeof thrown === "object" && thrown !== null ? Object.prototype.toString.call(thrown) : String(thrown);
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? thrown.cause : undefined;
}

/** Whether a retry can help; an error of unknown origin counts as retryable. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ButlerError ? error.isRetryable : true;
}
