import type { listTeamAudit, RouteAnswer } from "@butler/contract";
import type { Tone } from "@butler/ui";

/** An audit record. */
export type AuditEntry = RouteAnswer<typeof listTeamAudit>["entries"][number];

const tones: Readonly<Record<AuditEntry["outcome"], Tone>> = {
  success: "asleep",
  failure: "failed",
  unknown: "attention",
};
const words: Readonly<Record<AuditEntry["outcome"], string>> = {
  success: "Succeeded",
  failure: "Rejected",
  unknown: "Unknown",
};

/** Outcome of a record. Success is grey, because nearly all records succeed. */
export function outcomeOf({ outcome, statusCode }: AuditEntry): { readonly tone: Tone; readonly word: string } {
  const isFault = outcome === "failure" && statusCode >= 500;
  return { tone: tones[outcome], word: isFault ? "Failed" : words[outcome] };
}

/** Short name of the object. */
export function objectWords({ resourceType, resourceName, resourceNamespace, teamRef }: AuditEntry): string {
  const isElsewhere = resourceNamespace !== "" && resourceNamespace !== teamRef;
  const name = isElsewhere ? `${resourceNamespace}/${resourceName}` : resourceName;
  return [resourceType, name].filter((part) => part !== "").join(" ");
}
