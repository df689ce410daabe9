import type { HelmFailureReason } from "./helm-failed.ts";

interface Explanation {
  readonly reason: HelmFailureReason;
  /** The part of helm's output that identifies the reason; none when it is known otherwise. */
  readonly pattern?: RegExp;
  /** What to do next. */
  readonly hint: string;
}

/** Errors of helm and their remedies. The first match wins, so more specific ones come first. */
const explanations: readonly Explanation[] = [
  { reason: "Cancelled", hint: "No action required; the next attempt resumes from the current state." },
  {
    reason: "Killed",
    hint: "If helm ran out of memory, increase the memory limit of the process that runs it, or run fewer jobs at once.",
  },
  {
    reason: "OutOfMemory",
    hint: "Use a smaller chart or smaller values. Nothing else was affected.",
  },
  {
    reason: "SchemaViolated",
    pattern: /don't meet the specifications of the schema/,
    hint: "Fix the values named above. Nothing was changed in the cluster.",
  },
  {
    reason: "KubernetesUnsupported",
    pattern: /chart requires kubeVersion/,
    hint: "Use a chart version that supports the cluster, or upgrade the cluster.",
  },
  {
    reason: "OwnedByAnother",
    pattern: /cannot be imported into the current release|invalid ownership metadata/,
    hint: "Delete the object named above, or keep it and use other names in the values.",
  },
  {
    reason: "ReleaseLocked",
    pattern: /another operation .{0,60}is in progress|"sh\.helm\.release\.v1\.[^"]+" already exists/,
    hint: "Wait for the other operation to finish. If it was interrupted, remove its pending revision.",
  },
  {
    reason: "RevisionMissing",
    pattern: /release has no \d+ version/,
    hint: "Use one of the revisions in the history.",
  },
  {
    reason: "HookFailed",
    pattern:
      /(pre|post)-(install|upgrade|rollback|delete) hooks? failed|failed (pre|post)-(install|delete)|hook .{0,120}failed/i,
    hint: "Check the Job or Pod named above, and its log.",
  },
  {
    reason: "KindMissing",
    pattern: /no matches for kind|resource mapping not found/,
    hint: "Install the CRD for this kind first.",
  },
  {
    reason: "CredentialsRefused",
    pattern: /asked for the client to provide credentials|Unauthorized/,
    hint: "Renew the cluster's kubeconfig.",
  },
  {
    reason: "ClusterUnreachable",
    pattern:
      /cluster unreachable|connection refused|no such host|i\/o timeout|TLS handshake|x509:|connection reset|network is unreachable/i,
    hint: "Check that the cluster's API server is running and reachable from this process.",
  },
  {
    reason: "TimedOut",
    pattern: /context deadline exceeded|timed out|would exceed context deadline/i,
    hint: "Check which objects are not ready, or increase the timeout.",
  },
  {
    reason: "ChartInvalid",
    pattern:
      /missing in charts\/|chart metadata|Chart\.yaml|chart\.metadata|invalid chart|not a gzipped archive|no such file or directory|cannot load values\.yaml|validation: /i,
    hint: "Use another version of the chart, or ask its maintainer to fix it.",
  },
  {
    reason: "RenderFailed",
    pattern:
      /execution error at|error calling|parse error at|YAML parse error|error converting YAML|template: |nil pointer evaluating|unable to build kubernetes objects/,
    hint: "Fix the values used by the template named above, or use another version of the chart.",
  },
  {
    reason: "Refused",
    pattern: /denied the request|is invalid:/,
    hint: "The API server rejected an object in the chart: fix the values that produce it.",
  },
  {
    reason: "Forbidden",
    pattern: /is forbidden|cannot (get|list|create|patch|delete) resource/i,
    hint: "Grant the permission named above to the account that the kubeconfig uses.",
  },
  {
    reason: "Refused",
    pattern: /server-side apply failed|failed to create|not found|conflict/i,
    hint: "The API server rejected an object in the chart: fix the values that produce it.",
  },
];

const unknown: Explanation = { reason: "HelmFailed", hint: "Retry; completed changes are kept." };

/** The reason of an error of helm. */
export function reasonOf(complaint: string): HelmFailureReason {
  return (explanations.find(({ pattern }) => pattern?.test(complaint)) ?? unknown).reason;
}

/** What to do about a reason. */
export function explanationOf(reason: HelmFailureReason): { readonly hint: string } {
  return explanations.find((explanation) => explanation.reason === reason) ?? unknown;
}

const longestComplaint = 1_500;

/**
 * The final error of helm from its output: the lines from "Error:" on, without log lines. For a failed deletion, the cause
 * is only in an earlier log line.
 */
export function complaintOf(lines: readonly string[]): string {
  const said = lines.filter((line) => !/^(level=|time=|\S+\.go:\d+:)/.test(line));
  const start = said.findIndex((line) => line.startsWith("Error: "));
  const words = (start === -1 ? said : said.slice(start)).map((line) => line.trim()).filter(Boolean);
  const text = words
    .join("\n")
    .replace(/^Error: /, "")
    .replace(/^(UPGRADE FAILED|INSTALLATION FAILED): /, "");
  const cause = text.startsWith("failed to delete release") ? deletionError(lines) : "";
  return shortened(`${text || lastRemark(lines)}${cause}`);
}

function deletionError(lines: readonly string[]): string {
  const found = lines.find((line) => line.includes('msg="uninstall: Failed to delete release"'));
  const error = /error="?(.*?)"?$/.exec(found ?? "")?.[1];
  return error === undefined ? "" : `: ${error.replaceAll('\\"', '"')}`;
}

function lastRemark(lines: readonly string[]): string {
  return lines.findLast((line) => /^level=(WARN|ERROR)/.test(line)) ?? "helm exited without output";
}

function shortened(text: string): string {
  return text.length <= longestComplaint ? text : `${text.slice(0, longestComplaint - 1).trimEnd()}…`;
}
