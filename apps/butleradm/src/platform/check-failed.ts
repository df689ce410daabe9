import { ButlerError, type ButlerErrorOptions } from "@butler/std";

/** A check has failed: the result is on standard output, and the exit code reports the failure to programs. */
export class CheckFailed extends ButlerError {
  readonly code = "NOT_WELL";
  readonly httpStatus = 500;
  readonly isRetryable = true;

  constructor(message: string, options: ButlerErrorOptions = {}) {
    super(message, options);
  }
}
