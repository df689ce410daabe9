import { limitsOf, type QuotaDimension, sumUsage, usageOf, utilisation } from "@butler/access";
import type { ButlerConfig, Team, TenantCluster } from "@butler/api";
import { formatBinaryQuantity, formatDecimalQuantity } from "@butler/std";

/** Resources that can be limited, by command line name, with all of their fields. */
export const limitFields = {
  clusters: ["maxClusters"],
  nodes: ["maxTotalNodes"],
  "nodes-per-cluster": ["maxNodesPerCluster"],
  cpu: ["maxCPUCores", "maxTotalCPU"],
  memory: ["maxMemory", "maxTotalMemory"],
  storage: ["maxStorage", "maxTotalStorage"],
} as const;

/** Command line name of a resource that can be limited. */
export type LimitName = keyof typeof limitFields;

/** New limits; others stay unchanged. */
export interface WantedLimits {
  readonly limits: { readonly [name in LimitName]?: number | string | undefined };
  /** Resources whose limit is removed. */
  readonly unlimited: readonly LimitName[];
}

/** Whether there is anything to change. */
export function changesLimits({ limits, unlimited }: WantedLimits): boolean {
  return unlimited.length > 0 || Object.values(limits).some((value) => value !== undefined);
}

/** The patch that sets limits. Removes deprecated fields, so that they cannot contradict. */
export function planLimits({ limits, unlimited }: WantedLimits): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(limitFields) as LimitName[]) {
    const value = limits[name];
    const [field, ...older] = limitFields[name];
    if (unlimited.includes(name)) for (const each of limitFields[name]) fields[each] = null;
    else if (value !== undefined) {
      fields[field] = value;
      for (const each of older) fields[each] = null;
    }
  }
  return { spec: { resourceLimits: fields } };
}

/** Usage and limit of one resource. */
export interface QuotaRow {
  readonly name: QuotaDimension;
  readonly used: string;
  readonly limit: string;
  readonly percent: number | undefined;
}

/** Usage and limits of a team. */
export interface QuotaReport {
  readonly rows: readonly QuotaRow[];
  readonly nodesPerCluster: number | undefined;
  readonly status: "OK" | "Warning" | "Exceeded";
  readonly message: string;
}

/** Compares the usage of a team with its limits, or with the platform's defaults. */
export function quotaReport(
  team: Team,
  { clusters, config }: { readonly clusters: readonly TenantCluster[]; readonly config: ButlerConfig | undefined },
): QuotaReport {
  const used = sumUsage(clusters.map((cluster) => usageOf(cluster, config)));
  const limits = limitsOf(team, config);
  const { percent, status, message } = utilisation(used, limits);
  const cores = (milli: bigint | undefined): string | undefined =>
    milli === undefined ? undefined : formatDecimalQuantity(milli * 1_000_000n);
  const bytes = (amount: bigint | undefined): string | undefined =>
    amount === undefined ? undefined : formatBinaryQuantity(amount * 1_000_000_000n);
  const row = (name: QuotaDimension, usedText = "0", limit?: string): QuotaRow => ({
    name,
    used: usedText,
    limit: limit ?? "no limit",
    percent: percent[name],
  });
  const whole = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));
  return {
    rows: [
      row("clusters", whole(used.clusters), whole(limits.clusters)),
      row("nodes", whole(used.nodes), whole(limits.nodes)),
      row("cpu", cores(used.cpuMilli), cores(limits.cpuMilli)),
      row("memory", bytes(used.memoryBytes), bytes(limits.memoryBytes)),
      row("storage", bytes(used.storageBytes), bytes(limits.storageBytes)),
    ],
    nodesPerCluster: limits.nodesPerCluster,
    status,
    message,
  };
}
