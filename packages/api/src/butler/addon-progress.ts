import { int32, time } from "@butler/resource";
import { z } from "zod";

const waitingResource = z.object({
  kind: z.string().describe("Kind of the object."),
  namespace: z.string().optional().describe("Its namespace; empty for one that is in none."),
  name: z.string().describe("Its name."),
  state: z.enum(["progressing", "failed", "missing"]).describe("How it stands."),
  message: z.string().describe("What it waits for, or what is wrong with it."),
});

const resources = z.object({
  total: int32().describe("Objects that the chart made."),
  ready: int32().describe("How many of them are ready."),
  waiting: z.array(waitingResource).max(20).optional().describe("Those that are not, at most 20."),
});

const revision = z.object({
  revision: int32().describe("Number of the revision."),
  version: z.string().describe("Version of the chart."),
  status: z.string().describe("State of the revision in Helm's own words."),
  deployedAt: time().optional().describe("When it was made."),
  description: z.string().optional().describe("How it came about."),
});

const attempt = z.object({
  action: z.enum(["install", "upgrade", "rollback", "uninstall", "repair"]).describe("What was tried."),
  fingerprint: z.string().describe("Stands for chart, version and values, without telling them."),
  version: z.string().optional().describe("Version of the chart that was tried."),
  revision: int32().optional().describe("Revision that came of it."),
  startedAt: time().describe("When it began."),
  finishedAt: time().optional().describe("When it ended; empty while it lasts."),
  outcome: z.enum(["Running", "Succeeded", "Failed", "Cancelled"]).describe("What came of it."),
  reason: z.string().optional().describe("Why it failed, in one word."),
  message: z.string().optional().describe("Why it failed, for people."),
  failures: int32().optional().describe("How often in a row the same was tried and failed."),
});

const valueOrigin = z.object({
  path: z.string().describe("Path of the value, such as controller.replicas."),
  from: z
    .enum(["definition", "provider", "team", "environment", "cluster", "addon"])
    .describe("Who decided it; the later of these wins."),
});

const driftedObject = z.object({
  kind: z.string().describe("Kind of the object."),
  namespace: z.string().optional().describe("Its namespace; empty for one that is in none."),
  name: z.string().describe("Its name."),
  message: z.string().describe("What is not as the chart made it."),
});

/** Where every add-on can be in its life; what its end is called, each kind says. */
export const addonPhases = [
  "Pending",
  "WaitingForDependencies",
  "Installing",
  "Installed",
  "Upgrading",
  "RollingBack",
  "Degraded",
  "Failed",
] as const;

/** What the status of every add-on tells of its release, on whichever cluster it is. */
export const addonProgress = z.object({
  resources: resources.optional().describe("What the chart made, and how much of it is ready."),
  history: z.array(revision).max(10).optional().describe("Revisions of the release, the newest first."),
  lastAttempt: attempt.optional().describe("What was done last."),
  lastGoodRevision: int32().optional().describe("Newest revision of which everything has been ready."),
  rolledBackTo: int32().optional().describe("Revision that runs again because it was asked for or an upgrade failed."),
  valueOrigins: z
    .array(valueOrigin)
    .max(200)
    .optional()
    .describe("Where values come from, without the values, which may be secret; at most 200."),
  drift: z.array(driftedObject).max(20).optional().describe("Objects that somebody changed, at most 20."),
});
