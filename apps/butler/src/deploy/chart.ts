/** Butler's chart and its installation, without the code that builds Butler. For command lines. */
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
