import type { HelmFailed, HelmFailureReason } from "@butler/helm";
import { type ButlerError, Conflict, Forbidden, InvalidInput, Timeout, Unavailable } from "@butler/std";

type ErrorClass = new (message: string, options: { readonly cause: unknown; readonly hint: string }) => ButlerError;

interface Explanation {
  readonly error: ErrorClass;
  /** The remedy; NAMESPACE is replaced by the release's namespace. */
  readonly hint: string;
}

const refusal: Explanation = {
  error: InvalidInput,
  hint: "The API server rejected an object in the chart. Correct the values that produce it and retry.",
};

/** Helm's failures as errors for the user who installs Butler, with remedies. */
const explanations: Partial<Record<HelmFailureReason, Explanation>> = {
  SchemaViolated: {
    error: InvalidInput,
    hint: "Correct the values named in the message; see deploy/charts/butler/README.md for all values. Nothing was changed.",
  },
  ReleaseLocked: {
    error: Conflict,
    hint: "Another installation is in progress: wait for it to finish and retry. If it was killed, retry after a few minutes.",
  },
  TimedOut: {
    error: Timeout,
    hint: "List the pods with `kubectl --namespace NAMESPACE get pods`, find the cause with `describe` and `logs`, and retry.",
  },
  ClusterUnreachable: {
    error: Unavailable,
    hint: "Check that the cluster in the kubeconfig is up and reachable from this machine.",
  },
  Forbidden: {
    error: Forbidden,
    hint: "Install with an account that can create CRDs and RBAC rules, such as a member of the system:masters group.",
  },
  CredentialsRefused: { error: Forbidden, hint: "The cluster rejected the credentials in the kubeconfig: renew them." },
  KubernetesUnsupported: { error: InvalidInput, hint: "Upgrade Kubernetes to the version that the chart requires." },
  Refused: refusal,
  RenderFailed: refusal,
};

/** Maps helm's failure to an error with a remedy. */
export function explainHelm(failure: HelmFailed, namespace: string): ButlerError {
  const { error, hint } = explanations[failure.reason] ?? {
    error: Unavailable,
    hint: "Retry; completed steps are kept.",
  };
  const options = { cause: failure, hint: hint.replaceAll("NAMESPACE", namespace) };
  return new error(`failed to install Butler's chart: ${failure.message}`, options);
}
