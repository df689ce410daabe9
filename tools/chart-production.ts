import { type ChartRole, valueNameOf } from "./chart-values.ts";

/** The file of the chart with values for production. */
export const productionFile = "values-production.yaml";

/** Comment of that file. */
export const productionNote = [
  "Values for production: pass this file with --values, and your own values after it. Two replicas of each role keep",
  "admission and the API available while a node is drained: a PodDisruptionBudget allows the loss of one, and",
  "they are spread across nodes. Controllers elect a leader; every replica serves admission.",
].map((line) => `# ${line}`);

/** The local provider is for laptops, tests and trusted tenants. */
const notForProduction = "local-provider";

/** The values for production. */
export function productionValues(roles: readonly ChartRole[]): Readonly<Record<string, unknown>> {
  const replicated = roles.filter(({ role }) => role !== notForProduction);
  return {
    priorityClassName: "system-cluster-critical",
    ...Object.fromEntries(replicated.map(({ role }) => [valueNameOf(role), { replicas: 2 }])),
  };
}
