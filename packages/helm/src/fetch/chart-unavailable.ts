import { ButlerError, type ButlerErrorOptions } from "@butler/std";

/** Why a chart could not be had, in words that a condition can carry. */
export type ChartUnavailableReason =
  | "ChartNotFound"
  | "VersionNotFound"
  | "RepositoryUnreachable"
  | "RepositoryTimeout"
  | "RepositoryTooLarge"
  | "RepositoryRedirected"
  | "RepositoryInvalid"
  | "ChartInvalid"
  | "CredentialsRefused";

/** What goes with the message. */
export interface ChartUnavailableOptions extends ButlerErrorOptions {
  /** Whether it may pass without anybody's doing, where the reason alone does not tell. */
  readonly isPassing?: boolean;
}

const passingReasons: ReadonlySet<ChartUnavailableReason> = new Set(["RepositoryUnreachable", "RepositoryTimeout"]);

/** A chart could not be had. The message names the host and never repeats what it sent, nor any credentials. */
export class ChartUnavailable extends ButlerError {
  readonly code: string = "CHART_UNAVAILABLE";
  readonly httpStatus: number;
  readonly isRetryable: boolean;
  readonly reason: ChartUnavailableReason;
  /** Whether the same fetch may succeed later without anybody's doing. */
  readonly isPassing: boolean;

  constructor(reason: ChartUnavailableReason, message: string, options: ChartUnavailableOptions = {}) {
    super(message, { ...options, details: { reason, ...options.details } });
    this.reason = reason;
    this.isPassing = options.isPassing ?? passingReasons.has(reason);
    this.isRetryable = this.isPassing;
    this.httpStatus = this.isPassing ? 503 : 422;
  }
}
