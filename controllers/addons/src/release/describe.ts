import type { Inspection } from "@butler/object-health";
import type { JobQueue, JobView, ReleaseAction } from "./situation.ts";

/** How many objects of the chart are ready, and what the release is waiting for. */
export function describeInspection(inspection: Inspection | undefined): string {
  if (inspection === undefined) return "the chart's objects have not been checked yet";
  const { total, ready, waiting } = inspection;
  if (total === 0) return "the chart created no objects";
  const worst = waiting.find(({ state }) => state === "failed") ?? waiting[0];
  const count = `${ready} of ${total} objects are ready`;
  if (worst === undefined) return count;
  const place = worst.namespace === undefined ? worst.name : `${worst.namespace}/${worst.name}`;
  return `${count}; waiting for ${worst.kind} ${place}: ${worst.message}`;
}

const actionWords: Readonly<Record<ReleaseAction, string>> = {
  install: "installing",
  upgrade: "upgrading",
  rollback: "rolling back",
  repair: "reverting drift",
  uninstall: "uninstalling",
};

/** What a job is currently doing. */
export function describeJob(job: JobView, inspection: Inspection | undefined): string {
  const { action, state, lines = [] } = job;
  if (state === "waiting") return `${action} is queued${describeQueue(job.queue)}`;
  const progress = inspection === undefined || action === "uninstall" ? lines.at(-1) : describeInspection(inspection);
  return progress === undefined ? actionWords[action] : `${actionWords[action]}: ${progress}`;
}

/** The position of a job in the queue of its team, and the places that it waits for. */
function describeQueue(queue: JobQueue | undefined): string {
  if (queue === undefined) return " behind other jobs";
  const { team, position, waiting, full } = queue;
  const whose = team === "" ? "the platform" : `team ${team}`;
  const place = ` (position ${position} of ${waiting} for ${whose})`;
  if (full === undefined) return `${place}: waiting for a free CPU`;
  const whoseJobs = full.of === "team" ? whose : "all teams";
  return `${place}: waiting for one of the ${full.most} Helm jobs of ${whoseJobs}`;
}

/** A time as text, to the second. */
export function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+Z$/, "Z");
}
