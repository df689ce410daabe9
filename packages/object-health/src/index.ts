/**
 * The state of a chart's objects: which objects a manifest has, whether each of them is ready and why not, and what
 * has drifted since. Knows Kubernetes' kinds, none of Butler's.
 */
export { type Readiness } from "./objects/readiness.ts";
export { readinessOf } from "./objects/readiness-of.ts";
export { parseManifest, type ParseManifestOptions } from "./manifest/parse-manifest.ts";
export { type ManifestObject } from "./manifest/manifest-object.ts";
export { inspect, type Inspection, type InspectOptions, type WaitingObject } from "./inspect/inspect.ts";
export { type Drift, findDrift, type FindDriftOptions } from "./drift/find-drift.ts";
