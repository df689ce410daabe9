import type { Inspection } from "@butler/readiness";
import type { JobView, ReleaseAction } from "./situation.ts";

/** How far what the chart made is, and what it waits for. */
export function describeInspection(inspection: Inspection | undefined): string {
  if (inspection === undefined) return "nobody has looked yet at what the chart made";
  const { total, ready, waiting } = inspection;
  if (total === 0) return "the chart made nothing";
  const worst = waiting.find(({ state }) => state === "failed") ?? waiting[0];
  const count = `${ready} of ${total} objects are ready`;
  if (worst === undefined) return count;
  const place = worst.namespace === undefined ? worst.name : `${worst.namespace}/${worst.name}`;
  return `${count}; waiting for ${worst.kind} ${place}: ${worst.message}`;
}

const actionWords: Readonly<Record<ReleaseAction, string>> = {
  install: "is being installed",
  upgrade: "is being upgraded",
  rollback: "is being rolled back",
  repair: "is being put back as the chart made it",
  uninstall: "is being uninstalled",
};

/** What a job does at this moment. */
export function describeJob({ action, state, lines = [] }: JobView, inspection: Inspection | undefined): string {
  if (state === "waiting") return `${actionWords[action]} as soon as other work is done`;
  const progress = inspection === undefined || action === "uninstall" ? lines.at(-1) : describeInspection(inspection);
  return progress === undefined ? actionWords[action] : `${actionWords[action]}: ${progress}`;
}

/** A moment for people, to the second. */
export function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+Z$/, "Z");
}
