import { type ButlerConfig, butlerConfigName, namespaces, type ProviderConfig, type TenantCluster } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import {
  type Blocker,
  type ConditionStatement,
  type DynamicObject,
  isBeingDeleted,
  type KubeObject,
} from "@butler/resource";
import { nameSome } from "@butler/std";
import { buildNamespace, clusterNames, isMadeBy, statusShare } from "../shared/index.ts";
import { butlerConfigControllerName } from "./names.ts";

/** The input of the plan. */
export interface Observed {
  readonly config: ButlerConfig;
  readonly teamCount: number;
  readonly clusters: readonly TenantCluster[];
  /** The default namespace, with any creator. */
  readonly namespace: DynamicObject | undefined;
  /** The default ProviderConfig; undefined when it does not exist or none is set. */
  readonly provider: ProviderConfig | undefined;
}

const conditionTypes = ["Ready", "Degraded"];

/** Plans the settings of the platform. */
export function plan(observed: Observed): Plan {
  const { config } = observed;
  if (config.metadata.name !== butlerConfigName) return planStray(config);
  const wanted = wantedNamespace(observed);
  const ready = readyOf(observed);
  const { mode: exposureMode = "LoadBalancer" } = config.spec.controlPlaneExposure ?? {};
  return {
    finalizer: "none",
    apply: wanted === undefined ? [] : [wanted],
    ...statusShare(config, {
      fields: {
        teamCount: observed.teamCount,
        clusterCount: observed.clusters.length,
        controlPlaneExposureMode: exposureMode,
        tcpProxyRequired: exposureMode !== "LoadBalancer",
      },
      conditions: [ready, degradedOf(observed)],
      conditionTypes,
    }),
  };
}

/** The platform has exactly one ButlerConfig. */
function planStray(config: ButlerConfig): Plan {
  const message = `only the ButlerConfig named ${butlerConfigName} is used; delete this one`;
  return {
    finalizer: "none",
    ...statusShare(config, { fields: {}, conditions: [lacks("Ready", "InvalidName", message)], conditionTypes }),
    events: [{ type: "Warning", reason: "InvalidName", message }],
  };
}

/**
 * The namespace of clusters without a team, which every mode except Enforced has. An existing one is used as it
 * is. It is never deleted, because it may contain clusters.
 */
function wantedNamespace({ config, namespace }: Observed): KubeObject | undefined {
  if (config.spec.multiTenancy.mode === "Enforced") return undefined;
  const isOurs = namespace === undefined || isMadeBy(namespace, butlerConfigControllerName);
  if (!isOurs || (namespace !== undefined && isBeingDeleted(namespace))) return undefined;
  return buildNamespace(config.spec.defaultNamespace, {});
}

function readyOf({ config, namespace }: Observed): ConditionStatement {
  const { multiTenancy, defaultNamespace } = config.spec;
  if (multiTenancy.mode === "Enforced") return holds("Ready", "Ready", "every cluster belongs to a team");
  if (namespace === undefined) {
    return lacks("Ready", "NamespaceCreating", `creating namespace ${defaultNamespace}`);
  }
  if (isBeingDeleted(namespace)) {
    const message = `namespace ${defaultNamespace} is being deleted; it will be recreated afterwards`;
    return lacks("Ready", "NamespaceTerminating", message);
  }
  return holds("Ready", "Ready", `clusters without a team use namespace ${defaultNamespace}`);
}

/**
 * Settings that are inconsistent with the existing objects: everything keeps working, but administrators should know.
 */
function degradedOf(observed: Observed): ConditionStatement {
  const blockers = [...providerBlockers(observed), ...misplacedClusters(observed)];
  const [first] = blockers;
  if (first === undefined) return lacks("Degraded", "AsExpected", "settings and clusters are consistent");
  return holds("Degraded", first.reason, blockers.map(({ message }) => message).join("; "));
}

function providerBlockers({ config, provider }: Observed): Blocker[] {
  const reference = config.spec.defaultProviderConfigRef;
  if (reference === undefined || provider !== undefined) return [];
  const message =
    `ProviderConfig ${namespaces.system}/${reference.name} not found; create it, or correct ` +
    "spec.defaultProviderConfigRef";
  return [{ reason: "DefaultProviderMissing", message }];
}

/** Clusters that predate the current mode. They keep running, but no such clusters can be created. */
function misplacedClusters({ config, clusters }: Observed): Blocker[] {
  const { multiTenancy, defaultNamespace } = config.spec;
  const isMisplaced = ({ metadata, spec }: TenantCluster): boolean => {
    const isTeamless = spec.teamRef === undefined;
    const isInDefault = metadata.namespace === defaultNamespace;
    if (multiTenancy.mode === "Enforced") return isTeamless;
    return multiTenancy.mode === "Optional" ? isTeamless && !isInDefault : !isInDefault;
  };
  const misplaced = clusters.filter(isMisplaced);
  if (misplaced.length === 0) return [];
  const message =
    `${misplaced.length} clusters do not match tenancy mode ${multiTenancy.mode}: ` + nameSome(clusterNames(misplaced));
  return [{ reason: "ClustersMisplaced", message }];
}
