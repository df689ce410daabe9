import { int32, time } from "@butler/resource";
import { z } from "zod";

const waitingResource = z.object({
  kind: z.string().describe("Kind of the object."),
  namespace: z.string().optional().describe("Namespace of the object. Empty for cluster-scoped objects."),
  name: z.string().describe("Name of the object."),
  state: z.enum(["progressing", "failed", "missing"]).describe("State of the object."),
  message: z.string().describe("What the object is waiting for, or why it failed."),
});

const resources = z.object({
  total: int32().describe("Number of objects created by the chart."),
  ready: int32().describe("Number of objects that are ready."),
  waiting: z.array(waitingResource).max(20).optional().describe("Objects that are not ready, at most 20."),
});

const revision = z.object({
  revision: int32().describe("Revision number."),
  version: z.string().describe("Version of the chart."),
  status: z.string().describe("Status of the revision as reported by Helm."),
  deployedAt: time().optional().describe("Time at which the revision was deployed."),
  description: z.string().optional().describe("Description of the revision."),
});

const attempt = z.object({
  action: z.enum(["install", "upgrade", "rollback", "uninstall", "repair"]).describe("Operation that was attempted."),
  fingerprint: z.string().describe("Hash of the chart, version and values. Does not reveal the values."),
  version: z.string().optional().describe("Chart version of the attempt."),
  revision: int32().optional().describe("Revision created by the attempt."),
  startedAt: time().describe("Time at which the attempt started."),
  finishedAt: time().optional().describe("Time at which the attempt finished. Empty while it is running."),
  outcome: z.enum(["Running", "Succeeded", "Failed", "Cancelled"]).describe("Result of the attempt."),
  reason: z.string().optional().describe("Machine-readable reason for the failure."),
  message: z.string().optional().describe("Human-readable message about the failure."),
  failures: int32().optional().describe("Number of consecutive failures of the same attempt."),
});

const valueOrigin = z.object({
  path: z.string().describe("Path of the value, such as controller.replicas."),
  from: z
    .enum(["definition", "provider", "team", "environment", "cluster", "addon"])
    .describe("Source of the value. Later sources take precedence over earlier ones."),
});

const driftedObject = z.object({
  kind: z.string().describe("Kind of the object."),
  namespace: z.string().optional().describe("Namespace of the object. Empty for cluster-scoped objects."),
  name: z.string().describe("Name of the object."),
  message: z.string().describe("Difference from the chart's manifest."),
});

/** Phases of all add-on kinds. Each kind adds its own phase for removal. */
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

/** The part of an add-on's status that describes its release; shared by all add-on kinds. */
export const addonProgress = z.object({
  resources: resources.optional().describe("Objects created by the chart and their readiness."),
  history: z.array(revision).max(10).optional().describe("Revisions of the release, newest first."),
  lastAttempt: attempt.optional().describe("Most recent operation."),
  lastGoodRevision: int32().optional().describe("Most recent revision in which all objects became ready."),
  rolledBackTo: int32().optional().describe("Revision that was restored, either on request or after a failed upgrade."),
  valueOrigins: z
    .array(valueOrigin)
    .max(200)
    .optional()
    .describe(
      "Source of each value, for at most 200 values. The values themselves are omitted because they may be secret.",
    ),
  drift: z.array(driftedObject).max(20).optional().describe("Objects that differ from the chart, at most 20."),
});
