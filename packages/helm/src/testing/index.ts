/** Test charts, and how they are packaged. */
export { HelmHarness } from "./helm-harness.ts";
export { packChart, type PackChartOptions, type TestChart, testChartFolder } from "./pack-chart.ts";
export { type BegunRun, ReleaseBench, withoutHook } from "./release-bench.ts";
export { startChartRepository } from "./chart-repository.ts";
export { type OciRegistry, type OciRegistryOptions, startOciRegistry } from "./oci-registry.ts";
export { type AddOptions, createRepositoryFolder, putChart, type RepositoryFolder } from "./served-charts.ts";
export type { Misbehaviour, SeenRequest, TestServer, TestServerOptions } from "./server-knobs.ts";
