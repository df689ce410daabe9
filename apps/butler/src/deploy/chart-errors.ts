import { type ButlerError, Conflict, Forbidden, InvalidInput, Timeout, Unavailable } from "@butler/std";

type ErrorClass = new (message: string, options: { readonly hint: string }) => ButlerError;

interface Explanation {
  readonly pattern: RegExp;
  readonly error: ErrorClass;
  /** What to do next; NAMESPACE stands for the release's. */
  readonly hint: string;
}

/** What helm complains of, what that is for us, and what to do next. The first that fits counts. */
const explanations: readonly Explanation[] = [
  {
    pattern: /don't meet the specifications of the schema/,
    error: InvalidInput,
    hint: "Correct the values that are named; deploy/charts/butler/README.md lists what there is. Nothing was changed.",
  },
  {
    pattern: /another operation .* is in progress/,
    error: Conflict,
    hint: "Somebody else is installing Butler: wait until they are done and try again. After one that was killed, a try some minutes later goes on by itself.",
  },
  {
    pattern: /context deadline exceeded|timed out|timeout waiting|would exceed context deadline/i,
    error: Timeout,
    hint: "Look at what is not ready with `kubectl --namespace NAMESPACE get pods` and at why with `describe` and `logs`; then try again.",
  },
  {
    pattern: /cluster unreachable|connection refused|no such host/i,
    error: Unavailable,
    hint: "Check that the cluster of the kubeconfig is up and can be reached from here.",
  },
  {
    pattern: /is forbidden|Unauthorized/i,
    error: Forbidden,
    hint: "Install with an account that may make kinds and permissions, such as one of the group system:masters.",
  },
  {
    pattern: /chart requires kubeVersion/,
    error: InvalidInput,
    hint: "Bring Kubernetes up to the version that the chart asks for.",
  },
  {
    pattern: /is invalid|denied the request|conflict occurred/i,
    error: InvalidInput,
    hint: "The API server refuses an object of the chart: correct the values that it comes from and try again.",
  },
];

/** The error that helm's complaint amounts to, with what to do next. */
export function explainHelm(complaint: string, namespace: string): ButlerError {
  const found = explanations.find(({ pattern }) => pattern.test(complaint));
  const { error, hint } = found ?? { error: Unavailable, hint: "Try again; what was done so far is kept." };
  const text = complaint.replace(/^Error: /m, "").trim() || "helm ended without a word";
  return new error(`Butler's chart was not installed: ${text}`, { hint: hint.replaceAll("NAMESPACE", namespace) });
}
