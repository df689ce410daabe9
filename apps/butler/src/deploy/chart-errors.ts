import type { HelmFailed, HelmFailureReason } from "@butler/helm";
import { type ButlerError, Conflict, Forbidden, InvalidInput, Timeout, Unavailable } from "@butler/std";

type ErrorClass = new (message: string, options: { readonly cause: unknown; readonly hint: string }) => ButlerError;

interface Explanation {
  readonly error: ErrorClass;
  /** What to do next; NAMESPACE stands for the release's. */
  readonly hint: string;
}

const refusal: Explanation = {
  error: InvalidInput,
  hint: "The API server refuses an object of the chart: correct the values that it comes from and try again.",
};

/** What helm's failure is for whoever installs Butler, and what to do next. */
const explanations: Partial<Record<HelmFailureReason, Explanation>> = {
  SchemaViolated: {
    error: InvalidInput,
    hint: "Correct the values that are named; deploy/charts/butler/README.md lists what there is. Nothing was changed.",
  },
  ReleaseLocked: {
    error: Conflict,
    hint: "Somebody else is installing Butler: wait until they are done and try again. After one that was killed, a try some minutes later goes on by itself.",
  },
  TimedOut: {
    error: Timeout,
    hint: "Look at what is not ready with `kubectl --namespace NAMESPACE get pods` and at why with `describe` and `logs`; then try again.",
  },
  ClusterUnreachable: {
    error: Unavailable,
    hint: "Check that the cluster of the kubeconfig is up and can be reached from here.",
  },
  Forbidden: {
    error: Forbidden,
    hint: "Install with an account that may make kinds and permissions, such as one of the group system:masters.",
  },
  CredentialsRefused: { error: Forbidden, hint: "The cluster does not know the account of the kubeconfig: renew it." },
  KubernetesUnsupported: { error: InvalidInput, hint: "Bring Kubernetes up to the version that the chart asks for." },
  Refused: refusal,
  RenderFailed: refusal,
};

/** The error that helm's failure amounts to, with what to do next. */
export function explainHelm(failure: HelmFailed, namespace: string): ButlerError {
  const { error, hint } = explanations[failure.reason] ?? {
    error: Unavailable,
    hint: "Try again; what was done so far is kept.",
  };
  const options = { cause: failure, hint: hint.replaceAll("NAMESPACE", namespace) };
  return new error(`Butler's chart was not installed: ${failure.message}`, options);
}
