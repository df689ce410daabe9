import { ButlerError, type ButlerErrorOptions } from "@butler/std";

/** What was looked at is not as it should be: the answer is on standard output, and the exit code says so to programs. */
export class NotWell extends ButlerError {
  readonly code = "NOT_WELL";
  readonly httpStatus = 500;
  readonly isRetryable = true;

  constructor(message: string, options: ButlerErrorOptions = {}) {
    super(message, options);
  }
}
