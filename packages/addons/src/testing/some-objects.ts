import { AddonDefinition, TenantAddon, TenantCluster, Team } from "@butler/api";
import { type InputOf, parseObject } from "@butler/resource";

/** An AddonDefinition with the fields that a test sets. */
export function someDefinition(
  name: string,
  spec: Partial<InputOf<typeof AddonDefinition>["spec"]> = {},
): AddonDefinition {
  return parseObject(AddonDefinition, {
    apiVersion: AddonDefinition.apiVersion,
    kind: AddonDefinition.kind,
    metadata: { name },
    spec: {
      displayName: name,
      description: name,
      category: "other",
      chart: { repository: "https://charts.example.com", name, defaultVersion: "1.0.0" },
      ...spec,
    },
  });
}

interface AddonParts {
  readonly spec?: Partial<InputOf<typeof TenantAddon>["spec"]>;
  readonly status?: TenantAddon["status"];
  readonly metadata?: Partial<TenantAddon["metadata"]>;
}

/** A TenantAddon of the cluster `shop`, from the catalog unless its spec brings a chart. */
export function someAddon(name: string, { spec = {}, status, metadata }: AddonParts = {}): TenantAddon {
  return parseObject(TenantAddon, {
    apiVersion: TenantAddon.apiVersion,
    kind: TenantAddon.kind,
    metadata: { name, namespace: "payments", ...metadata },
    spec: { clusterRef: { name: "shop" }, ...(spec.helm === undefined ? { addon: name } : {}), ...spec },
    ...(status === undefined ? {} : { status }),
  });
}

/** The status of an installed and ready add-on. */
export const installed = {
  phase: "Installed",
  installedVersion: "1.0.0",
  conditions: [
    { type: "Ready", status: "True", reason: "Ready", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
  ],
} satisfies TenantAddon["status"];

/** The cluster `shop`. */
export function someCluster(
  spec: Partial<InputOf<typeof TenantCluster>["spec"]> = {},
  metadata: Partial<TenantCluster["metadata"]> = {},
): TenantCluster {
  return parseObject(TenantCluster, {
    apiVersion: TenantCluster.apiVersion,
    kind: TenantCluster.kind,
    metadata: { name: "shop", namespace: "payments", ...metadata },
    spec: { kubernetesVersion: "v1.36.3", ...spec },
  });
}

/** The team `payments`. */
export function someTeam(spec: Partial<InputOf<typeof Team>["spec"]>): Team {
  return parseObject(Team, { apiVersion: Team.apiVersion, kind: Team.kind, metadata: { name: "payments" }, spec });
}
