import { type Difference, pathText } from "./differences.ts";

/** Number of differences of one object that are listed; the rest is counted. */
const mostTold = 3;
const longestValue = 80;

/**
 * Texts that are useful and contain no secret. Any other may (a password in an argument, a token in a
 * configuration), and more users read status than Secrets, so only the path of other texts is shown.
 */
const tellableTexts: ReadonlySet<string> = new Set([
  "image",
  "imagePullPolicy",
  "type",
  "schedule",
  "serviceAccountName",
  "storageClassName",
  "ingressClassName",
  "priorityClassName",
  "schedulerName",
  "restartPolicy",
  "policy",
  "externalTrafficPolicy",
  "internalTrafficPolicy",
  "clusterIP",
  "loadBalancerClass",
  "concurrencyPolicy",
  "failurePolicy",
  "sideEffects",
  "protocol",
  "cpu",
  "memory",
  "ephemeral-storage",
  "storage",
]);

/** The differences from the chart, in one sentence. */
export function driftMessage(kind: string, differences: readonly Difference[]): string {
  const told = differences.slice(0, mostTold).map((difference) => tell(difference, kind));
  const rest = differences.length - told.length;
  return rest > 0 ? `${told.join("; ")}; and ${rest} more` : told.join("; ");
}

function tell({ path, live, wanted }: Difference, kind: string): string {
  const place = pathText(path);
  const [shownLive, shownWanted] = [valueText(live, path, kind), valueText(wanted, path, kind)];
  if (live === undefined) {
    return shownWanted === undefined ? `${place} is missing` : `${place} is missing (chart: ${shownWanted})`;
  }
  if (wanted === undefined) return `${place} is not in the chart`;
  if (shownLive === undefined || shownWanted === undefined) return `${place} differs from the chart`;
  return `${place} is ${shownLive} (chart: ${shownWanted})`;
}

/** A value that may be shown, as text. */
function valueText(value: unknown, path: readonly string[], kind: string): string | undefined {
  if (kind === "Secret" || kind === "ConfigMap") return undefined;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value.length > longestValue || /\s/.test(value)) return undefined;
  return tellableTexts.has(path.at(-1) ?? "") ? value || '""' : undefined;
}
