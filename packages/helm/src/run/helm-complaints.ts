import type { HelmFailureReason } from "./helm-failed.ts";

interface Explanation {
  readonly reason: HelmFailureReason;
  /** What of helm's words gives the reason away; none for what is known without words. */
  readonly pattern?: RegExp;
  /** What to do next. */
  readonly hint: string;
}

/** What helm complains of, and what to do about it. The first that fits counts, so what is more telling comes first. */
const explanations: readonly Explanation[] = [
  { reason: "Cancelled", hint: "Nothing needs to be done; the next attempt goes on from there." },
  {
    reason: "Killed",
    hint: "If it was for lack of memory, give the process that runs helm more, or run fewer at once.",
  },
  {
    reason: "SchemaViolated",
    pattern: /don't meet the specifications of the schema/,
    hint: "Correct the values that are named. Nothing was changed in the cluster.",
  },
  {
    reason: "KubernetesUnsupported",
    pattern: /chart requires kubeVersion/,
    hint: "Choose a version of the chart that suits the cluster, or upgrade the cluster.",
  },
  {
    reason: "OwnedByAnother",
    pattern: /cannot be imported into the current release|invalid ownership metadata/,
    hint: "Remove the object that is named, or leave it to whoever has made it and choose other names in the values.",
  },
  {
    reason: "ReleaseLocked",
    pattern: /another operation .{0,60}is in progress|"sh\.helm\.release\.v1\.[^"]+" already exists/,
    hint: "Wait until the other operation has ended. One that was broken off has to be removed first.",
  },
  {
    reason: "RevisionMissing",
    pattern: /release has no \d+ version/,
    hint: "Choose one of the revisions that the history lists.",
  },
  {
    reason: "HookFailed",
    pattern:
      /(pre|post)-(install|upgrade|rollback|delete) hooks? failed|failed (pre|post)-(install|delete)|hook .{0,120}failed/i,
    hint: "Look at the job or pod that is named, and at its log.",
  },
  {
    reason: "KindMissing",
    pattern: /no matches for kind|resource mapping not found/,
    hint: "Install what brings the kind along first.",
  },
  {
    reason: "CredentialsRefused",
    pattern: /asked for the client to provide credentials|Unauthorized/,
    hint: "Renew the kubeconfig of the cluster.",
  },
  {
    reason: "ClusterUnreachable",
    pattern:
      /cluster unreachable|connection refused|no such host|i\/o timeout|TLS handshake|x509:|connection reset|network is unreachable/i,
    hint: "Check that the cluster's API server runs and can be reached from here.",
  },
  {
    reason: "TimedOut",
    pattern: /context deadline exceeded|timed out|would exceed context deadline/i,
    hint: "Look at what did not get ready in time, or allow more time.",
  },
  {
    reason: "ChartInvalid",
    pattern:
      /missing in charts\/|chart metadata|Chart\.yaml|chart\.metadata|invalid chart|not a gzipped archive|no such file or directory|cannot load values\.yaml|validation: /i,
    hint: "Use another version of the chart, or have it repaired.",
  },
  {
    reason: "RenderFailed",
    pattern:
      /execution error at|error calling|parse error at|YAML parse error|error converting YAML|template: |nil pointer evaluating|unable to build kubernetes objects/,
    hint: "Correct the values that the named template uses, or choose another version of the chart.",
  },
  {
    reason: "Refused",
    pattern: /denied the request|is invalid:/,
    hint: "The API server refuses an object of the chart: correct the values that it comes from.",
  },
  {
    reason: "Forbidden",
    pattern: /is forbidden|cannot (get|list|create|patch|delete) resource/i,
    hint: "Give the account of the kubeconfig the permission that is named.",
  },
  {
    reason: "Refused",
    pattern: /server-side apply failed|failed to create|not found|conflict/i,
    hint: "The API server refuses an object of the chart: correct the values that it comes from.",
  },
];

const unknown: Explanation = { reason: "HelmFailed", hint: "Try again; what was done so far is kept." };

/** The reason behind helm's words. */
export function reasonOf(complaint: string): HelmFailureReason {
  return (explanations.find(({ pattern }) => pattern?.test(complaint)) ?? unknown).reason;
}

/** What to do about a reason. */
export function explanationOf(reason: HelmFailureReason): { readonly hint: string } {
  return explanations.find((explanation) => explanation.reason === reason) ?? unknown;
}

const longestComplaint = 1_500;

/**
 * What helm complains of at its end, of all the lines that it wrote: those from "Error:" on, without what it only
 * remarks. That something could not be deleted is all it says at the end; why, it has said before.
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
  return lines.findLast((line) => /^level=(WARN|ERROR)/.test(line)) ?? "helm ended without a word";
}

function shortened(text: string): string {
  return text.length <= longestComplaint ? text : `${text.slice(0, longestComplaint - 1).trimEnd()}…`;
}
