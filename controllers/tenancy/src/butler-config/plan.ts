import { type ButlerConfig, butlerConfigName, namespaces, type ProviderConfig, type TenantCluster } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import { type ConditionStatement, type DynamicObject, isBeingDeleted, type KubeObject } from "@butler/resource";
import { nameSome } from "@butler/std";
import { buildNamespace, clusterNames, isMadeBy, statusShare } from "../shared/index.ts";
import { butlerConfigControllerName } from "./names.ts";

/** Everything the decision is made from. */
export interface Observed {
  readonly config: ButlerConfig;
  readonly teamCount: number;
  readonly clusters: readonly TenantCluster[];
  /** The default namespace, whoever made it. */
  readonly namespace: DynamicObject | undefined;
  /** The ProviderConfig that is the default; undefined when there is none of that name, or none is named. */
  readonly provider: ProviderConfig | undefined;
}

const conditionTypes = ["Ready", "Degraded"];

/** Decides what the settings of the platform need now. */
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

/** There is one platform, so there is one set of settings. */
function planStray(config: ButlerConfig): Plan {
  const message = `only the ButlerConfig named ${butlerConfigName} is read; delete this one`;
  return {
    finalizer: "none",
    ...statusShare(config, { fields: {}, conditions: [lacks("Ready", "InvalidName", message)], conditionTypes }),
    events: [{ type: "Warning", reason: "InvalidName", message }],
  };
}

/**
 * The namespace of clusters without a team, which every mode but Enforced has. One that somebody else made is used as it
 * is. It is never removed: there may be clusters in it.
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
    return lacks("Ready", "NamespaceCreating", `the namespace ${defaultNamespace} is being made`);
  }
  if (isBeingDeleted(namespace)) {
    const message = `the namespace ${defaultNamespace} is being deleted; it is made again once it is gone`;
    return lacks("Ready", "NamespaceTerminating", message);
  }
  return holds("Ready", "Ready", `clusters without a team live in ${defaultNamespace}`);
}

/** Settings that contradict what there is: nothing stops working, but somebody should know. */
function degradedOf(observed: Observed): ConditionStatement {
  const faults = [...providerFaults(observed), ...misplacedClusters(observed)];
  const [first] = faults;
  if (first === undefined) return lacks("Degraded", "AsExpected", "settings and clusters fit together");
  return holds("Degraded", first.reason, faults.map(({ message }) => message).join("; "));
}

interface Fault {
  readonly reason: string;
  readonly message: string;
}

function providerFaults({ config, provider }: Observed): Fault[] {
  const reference = config.spec.defaultProviderConfigRef;
  if (reference === undefined || provider !== undefined) return [];
  const message =
    `there is no ProviderConfig ${namespaces.system}/${reference.name}; create it, or correct ` +
    "spec.defaultProviderConfigRef";
  return [{ reason: "DefaultProviderMissing", message }];
}

/** Clusters from before the mode was what it is now. They go on, but none like them can be made. */
function misplacedClusters({ config, clusters }: Observed): Fault[] {
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
    `${misplaced.length} clusters are not where the tenancy mode ${multiTenancy.mode} would have them: ` +
    nameSome(clusterNames(misplaced));
  return [{ reason: "ClustersMisplaced", message }];
}
