import type { listTeamAudit, RouteAnswer } from "@butler/contract";
import type { Tone } from "@butler/ui";

/** A record of something that was done. */
export type AuditEntry = RouteAnswer<typeof listTeamAudit>["entries"][number];

const tones: Readonly<Record<AuditEntry["outcome"], Tone>> = {
  success: "asleep",
  failure: "failed",
  unknown: "attention",
};
const words: Readonly<Record<AuditEntry["outcome"], string>> = {
  success: "Done",
  failure: "Refused",
  unknown: "Not known",
};

/** How it came out: grey when as it should, because that is what nearly all records are. */
export function outcomeOf({ outcome, statusCode }: AuditEntry): { readonly tone: Tone; readonly word: string } {
  const isFault = outcome === "failure" && statusCode >= 500;
  return { tone: tones[outcome], word: isFault ? "Failed" : words[outcome] };
}

/** What it was done to, in short. */
export function objectWords({ resourceType, resourceName, resourceNamespace, teamRef }: AuditEntry): string {
  const isElsewhere = resourceNamespace !== "" && resourceNamespace !== teamRef;
  const name = isElsewhere ? `${resourceNamespace}/${resourceName}` : resourceName;
  return [resourceType, name].filter((part) => part !== "").join(" ");
}
