import { ButlerError, type ButlerErrorOptions } from "@butler/std";

/** Why a chart is unavailable, as a condition reason. */
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

/** Options of the error. */
export interface ChartUnavailableOptions extends ButlerErrorOptions {
  /** Whether the failure is transient, where the reason alone does not tell. */
  readonly isPassing?: boolean;
}

const passingReasons: ReadonlySet<ChartUnavailableReason> = new Set(["RepositoryUnreachable", "RepositoryTimeout"]);

/** A chart is unavailable. The message names the host and never quotes its response or any credentials. */
export class ChartUnavailable extends ButlerError {
  readonly code: string = "CHART_UNAVAILABLE";
  readonly httpStatus: number;
  readonly isRetryable: boolean;
  readonly reason: ChartUnavailableReason;
  /** Whether the failure is transient, so that the same fetch may succeed later. */
  readonly isPassing: boolean;

  constructor(reason: ChartUnavailableReason, message: string, options: ChartUnavailableOptions = {}) {
    super(message, { ...options, details: { reason, ...options.details } });
    this.reason = reason;
    this.isPassing = options.isPassing ?? passingReasons.has(reason);
    this.isRetryable = this.isPassing;
    this.httpStatus = this.isPassing ? 503 : 422;
  }
}
