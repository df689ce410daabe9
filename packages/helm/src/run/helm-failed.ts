import { ButlerError } from "@butler/std";
import { explanationOf } from "./helm-complaints.ts";

/** Why helm failed. */
export type HelmFailureReason =
  | "Cancelled"
  | "TimedOut"
  | "Killed"
  | "OutOfMemory"
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

/** These succeed only after a change of chart, values or cluster. */
const lasting: ReadonlySet<HelmFailureReason> = new Set([
  "OutOfMemory",
  "SchemaViolated",
  "RenderFailed",
  "ChartInvalid",
  "KubernetesUnsupported",
  "RevisionMissing",
]);

/** Helm failed; the message says what failed, without secrets and values, and the hint what to do. */
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
