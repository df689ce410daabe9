/**
 * The truth about what a chart made: which objects a manifest has, whether each of them is well and why not, and what
 * somebody has changed since. Knows Kubernetes' kinds, none of Butler's.
 */
export { type Readiness } from "./objects/readiness.ts";
export { readinessOf } from "./objects/readiness-of.ts";
export { parseManifest, type ParseManifestOptions } from "./manifest/parse-manifest.ts";
export { type ManifestObject } from "./manifest/manifest-object.ts";
export { inspect, type Inspection, type InspectOptions, type WaitingObject } from "./inspect/inspect.ts";
export { type Drift, findDrift, type FindDriftOptions } from "./drift/find-drift.ts";
