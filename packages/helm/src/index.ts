/** Reads Helm's storage without the helm program (releases, history, values), fetches charts, and runs helm. */
export { decodeRelease, type ReleaseContent, type ReleasePart } from "./decode/decode-release.ts";
export { type DecodeRefusal, DecodeRefused } from "./decode/decode-refused.ts";
export {
  type DecodeRequest,
  type DecoderLimits,
  ReleaseDecoder,
  type ReleaseDecoderOptions,
} from "./decode/release-decoder.ts";
export * from "./release.ts";
export * from "./release-store.ts";
export { ChartStore, type ChartStoreOptions, type FetchedChart } from "./fetch/chart-store.ts";
export {
  ChartUnavailable,
  type ChartUnavailableOptions,
  type ChartUnavailableReason,
} from "./fetch/chart-unavailable.ts";
export type { RepositoryCredentials } from "./fetch/credentials.ts";
export { defaultFetchLimits, type FetchLimits } from "./fetch/limits.ts";
export { readTar, type TarEntry } from "./fetch/tar-reader.ts";
export type { ChartSource } from "./fetch/located-chart.ts";
export { diffManifests, type ManifestChange, type ObjectIdentity } from "./run/diff-manifests.ts";
export type { FieldChange } from "./run/diff-values.ts";
export { forgetRevision, type RevisionName } from "./run/forget-revision.ts";
export { Helm, type HelmLogger, type HelmOptions } from "./run/helm.ts";
export { HelmFailed, type HelmFailedOptions, type HelmFailureReason } from "./run/helm-failed.ts";
export type {
  HelmCall,
  HelmTarget,
  ReleaseName,
  ReleaseRequest,
  RollbackRequest,
  TemplateRequest,
  UninstallRequest,
} from "./run/requests.ts";
export { runFolderPrefix } from "./run/run-folder.ts";
