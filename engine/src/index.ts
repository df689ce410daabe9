/**
 * Upstream binaries and control planes. `ensureTools` installs etcd and Kubernetes from a cache, from release archives
 * or from a Go build; `startControlPlane` runs an isolated etcd and API server for tests and development, and
 * `LocalEngine` is a complete single-node Kubernetes. This package does not know Butler's resources.
 */
export { openToolCache, ensureTools, type EnsureToolsOptions, type ToolPaths } from "./ensure-tools.ts";
export { goPlatform, toolNames, type ToolName } from "./lock-file.ts";
export { earlierKubernetes, engineDirectory, type ToolSet } from "./tool-set.ts";
export { allTools, clusterApiTools, controlPlaneTools, localEngineTools, nodeTools } from "./tool-groups.ts";
export { moduleDirectory, type ModuleDirectoryOptions } from "./sources/module-directory.ts";
export { buildGoProgram, type GoProgramOptions } from "./sources/go-program.ts";
export { type Progress, type ProgressReport, silentProgress } from "./progress.ts";
export { plainProgress, renderProgress, terminalProgress, type TextSink } from "./progress-renderer.ts";
export type { SourceName } from "./sources/source.ts";
export type { ComponentFlags, ComponentName, ComponentTuning } from "./control-plane/component-arguments.ts";
export type { ControlPlaneOptions } from "./control-plane/control-plane-options.ts";
export type {
  ClientCertificate,
  ControlPlane,
  StopApiServer,
  StoreAccess,
} from "./control-plane/control-plane-interface.ts";
export { startControlPlane } from "./control-plane/control-plane.ts";
export { type EngineOptions, type EngineState, LocalEngine } from "./node/local-engine.ts";
export { installMissingPrograms } from "./node/check-machine.ts";
export { raiseInotifyLimit } from "./node/inotify-limit.ts";
export { findMachineProblems, type MachineFacts, type Problem } from "./node/machine-checks.ts";
export { readMachineFacts } from "./node/machine-facts.ts";
export type { ServiceState, ServiceStatus } from "./supervisor/service-status.ts";
export { butlerImage, butlerImageOf, butlerRepository } from "./images/butler-image.ts";
export { type ImageTaker, provideButlerImage } from "./images/butler-image-provision.ts";
export type { EngineImageName } from "./images/engine-images.ts";
export { earlierKubernetesImages, engineImageNames, engineImages } from "./images/image-catalog.ts";
export { type ImageConfig, type ImageDescription, writeImageArchive } from "./images/image-writer.ts";
export {
  copyTree,
  directory,
  fileFrom,
  fileWith,
  type LayerEntry,
  programFrom,
  symlink,
} from "./images/layer-entry.ts";
export { butlerNodeImage, type NodeParts, nodeBootstrapScript, nodeVolumes } from "./images/node-image.ts";
export { buildLimitProgram, buildPauseProgram } from "./images/small-programs.ts";
export { ensureUserLand } from "./images/user-land.ts";
export { installClusterApi, type InstallClusterApiOptions } from "./cluster-api/install.ts";
export { Kubectl, type KubectlOptions } from "./node/kubectl.ts";
export { installClusterApiInEngine, type RunningEngine } from "./cluster-api/install-in-engine.ts";
export { type PackageManager, systemPackages } from "./sources/system-packages.ts";
