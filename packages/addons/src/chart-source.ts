import { type AddonDefinition, type ManagementAddon, namespaces, type TenantAddon } from "@butler/api";

/** Where a chart comes from. */
export interface WantedChart {
  readonly source: {
    readonly repository: string;
    readonly name: string;
    /** Exact version; undefined for the newest stable one. */
    readonly version: string | undefined;
  };
  /** The Secret with the repository credentials. */
  readonly credentials: { readonly secret: string; readonly namespace: string } | undefined;
  /** The version in the fingerprint: the newest version stays "newest" once it is installed. */
  readonly versionMark: string;
}

type Chart = NonNullable<TenantAddon["spec"]["helm"]>;

/** The chart set in the spec of an add-on of a tenant cluster. */
export function ownChart(chart: Chart, { metadata, spec, status }: TenantAddon): WantedChart {
  const secret = chart.credentialsRef?.name;
  return {
    source: {
      repository: chart.repository,
      name: chart.chart,
      version: spec.version || status?.installedVersion || undefined,
    },
    credentials: secret === undefined ? undefined : { secret, namespace: metadata.namespace ?? "" },
    versionMark: spec.version || "newest",
  };
}

/**
 * The chart of an AddonDefinition. Without a version in the spec, the installed one is kept: a new default of the
 * catalog does not upgrade anything automatically.
 */
export function definedChart(
  definition: AddonDefinition,
  { spec, status }: TenantAddon | ManagementAddon,
): WantedChart {
  const { repository, name, defaultVersion, credentialsRef } = definition.spec.chart;
  const version = spec.version || status?.installedVersion || defaultVersion;
  return {
    source: { repository, name, version },
    credentials: credentialsRef && { secret: credentialsRef.name, namespace: namespaces.system },
    versionMark: version,
  };
}
