/** Butler's chart and how it gets into a cluster, without what builds Butler itself. For command lines. */
export { explainHelm } from "./chart-errors.ts";
export {
  chartFolder,
  chartImageValues,
  chartRelease,
  installChart,
  type InstallChartOptions,
} from "./chart-install.ts";
export { isRolledOut } from "./chart-progress.ts";
export { ownChart } from "./own-chart.ts";
