import { ButlerError } from "@butler/std";
import { explanationOf } from "./helm-complaints.ts";

/** Why helm did not do what it was asked for. */
export type HelmFailureReason =
  | "Cancelled"
  | "TimedOut"
  | "Killed"
  | "SchemaViolated"
  | "RenderFailed"
  | "ChartInvalid"
  | "KubernetesUnsupported"
  | "KindMissing"
  | "OwnedByAnother"
  | "ReleaseLocked"
  | "RevisionMissing"
  | "HookFailed"
  | "Forbidden"
  | "CredentialsRefused"
  | "ClusterUnreachable"
  | "Refused"
  | "HelmFailed";

/** The parts of a failure. */
export interface HelmFailedOptions {
  readonly reason: HelmFailureReason;
  readonly cause?: unknown;
}

/** Nothing but a change of chart, values or cluster makes these succeed. */
const lasting: ReadonlySet<HelmFailureReason> = new Set([
  "SchemaViolated",
  "RenderFailed",
  "ChartInvalid",
  "KubernetesUnsupported",
  "RevisionMissing",
]);

/** Helm ran and failed; the message says at what, without secrets and values, and the hint what to do. */
export class HelmFailed extends ButlerError {
  readonly code: string = "HELM_FAILED";
  readonly httpStatus: number = 502;
  readonly isRetryable: boolean;
  readonly reason: HelmFailureReason;

  constructor(message: string, { reason, cause }: HelmFailedOptions) {
    super(message, { cause, hint: explanationOf(reason).hint, details: { reason } });
    this.reason = reason;
    this.isRetryable = !lasting.has(reason);
  }
}
