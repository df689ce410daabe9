/**
 * Upstream's own binaries and control planes made of them. `ensureTools` brings etcd and Kubernetes from a cache, from
 * release archives or from a Go build; `startControlPlane` runs an isolated etcd and API server for tests and
 * development. Nothing here knows Butler's resources.
 */
export { openToolCache, ensureTools, type EnsureToolsOptions, type ToolPaths } from "./ensure-tools.ts";
export { toolNames, type ToolName } from "./lock-file.ts";
export { type Progress, type ProgressReport, silentProgress } from "./progress.ts";
export { plainProgress, renderProgress, terminalProgress, type TextSink } from "./progress-renderer.ts";
export type { SourceName } from "./sources/source.ts";
export type { CertificatePair } from "./control-plane/certificates.ts";
export type { ComponentFlags, ComponentName, ComponentTuning } from "./control-plane/component-arguments.ts";
export type { ControlPlaneOptions } from "./control-plane/control-plane-options.ts";
export type { ClientCertificate, ControlPlane, StopApiServer } from "./control-plane/control-plane-interface.ts";
export { startControlPlane } from "./control-plane/control-plane.ts";
export type { Kubeconfig } from "./control-plane/kubeconfig.ts";
