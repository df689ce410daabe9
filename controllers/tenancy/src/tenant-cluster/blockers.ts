import { borrowsCredentials, deletingProvider, reachFault } from "@butler/access";
import { labels, localProviderFault, type ProviderConfig, type TenantCluster } from "@butler/api";
import {
  type ClusterInput,
  type MachineProvider,
  machineProviderOf,
  nodeLabelFaults,
  poolsOf,
  unsupportedSystem,
} from "@butler/provider";
import { type Blocker, isBeingDeleted, keyText } from "@butler/resource";
import { Bug } from "@butler/std";
import { objectLabels, tenantNamespaceOf } from "./names.ts";
import type { Observed, ObservedProvider } from "./observed.ts";
import { kubernetesVersionOf } from "./settings.ts";

/** What keeps a cluster from being created or changed. */
export interface ClusterBlocker extends Blocker {
  /** Whether it can resolve without a change to the cluster, such as a missing object. */
  readonly isPassing: boolean;
}

/** A cluster that can be created: who renders its machines, and the input for that. */
export interface ClusterRequest {
  readonly machines: MachineProvider;
  readonly input: ClusterInput;
}

/** What a cluster asks for, or what keeps it from being created. */
export function requestOf(
  observed: Observed,
  machineProviders: readonly MachineProvider[],
): ClusterRequest | { readonly blocker: ClusterBlocker } {
  const machines = usableProvider(observed, machineProviders);
  if ("reason" in machines) return { blocker: machines };
  const input = inputOf(observed);
  const blocker = namespaceBlocker(observed) ?? inputBlocker(machines, input);
  return blocker === undefined ? { machines, input } : { blocker };
}

function inputOf({ cluster, provider, config }: Observed): ClusterInput {
  const { found, credentials = {} } = provider;
  if (found === undefined) throw new Bug("cannot build the input of a cluster without a provider");
  const { sshAuthorizedKey } = cluster.spec.workers.machineTemplate.os;
  return {
    cluster,
    namespace: tenantNamespaceOf(cluster),
    labels: objectLabels(cluster),
    annotations: {},
    kubernetesVersion: kubernetesVersionOf(cluster),
    provider: found,
    credentials,
    sshAuthorizedKey: sshAuthorizedKey || config?.spec.sshAuthorizedKey || undefined,
  };
}

/** The provider of the machines, or what keeps it from being used. */
function usableProvider(
  observed: Observed,
  machineProviders: readonly MachineProvider[],
): ClusterBlocker | MachineProvider {
  const { provider, cluster, isProviderServed } = observed;
  const { key, found } = provider;
  if (key === undefined) {
    return waiting("NoProvider", "no ProviderConfig is set on the cluster, its team or the platform");
  }
  if (found === undefined) {
    return waiting("ProviderConfigNotFound", `ProviderConfig ${keyText(key)} not found`);
  }
  const owner = { metadata: cluster.metadata, team: cluster.spec.teamRef?.name };
  const denial = reachFault(key, found, owner);
  if (denial !== undefined) return fault("ProviderAccessDenied", `ProviderConfig ${denial.message}`);
  if (isBeingDeleted(found) && isNew(observed)) return waiting("ProviderDeleting", deletingProvider(keyText(key)));
  const machines = machineProviderOf(machineProviders, found.spec.provider);
  if (machines === undefined) return fault("UnsupportedProvider", `provider ${found.spec.provider} is not supported`);
  if (!isProviderServed) {
    return waiting("ProviderNotInstalled", `the Cluster API provider for ${machines.type} is not installed`);
  }
  return credentialsBlocker(machines, provider) ?? localBlocker(observed, found) ?? machines;
}

/** Machines that are pods of the management cluster; existing clusters keep what they have. */
function localBlocker(observed: Observed, found: ProviderConfig): ClusterBlocker | undefined {
  const local = isNew(observed) ? localProviderFault(found, observed.config) : undefined;
  return local && waiting(local.reason, `ProviderConfig ${found.metadata.name}: ${local.message}`);
}

/** Whether nothing has been created for a cluster yet. */
function isNew({ capiCluster, controlPlane, machines }: Observed): boolean {
  return capiCluster === undefined && controlPlane === undefined && machines.length === 0;
}

function credentialsBlocker(
  { credentialKeys }: MachineProvider,
  { found, credentials }: ObservedProvider,
): ClusterBlocker | undefined {
  const name = found?.metadata.name;
  if (found !== undefined && borrowsCredentials(found)) {
    const own = found.metadata.namespace ?? "";
    const message = `ProviderConfig ${name} references a Secret in another namespace; move the credentials to a Secret in ${own}`;
    return waiting("CredentialsInvalid", message);
  }
  if (credentials === undefined) {
    return waiting("CredentialsInvalid", `credentials Secret for ProviderConfig ${name} not found`);
  }
  const missing = credentialKeys.filter((key) => credentials[key] === undefined);
  if (missing.length === 0) return undefined;
  return waiting(
    "CredentialsInvalid",
    `credentials Secret for ProviderConfig ${name} is missing ${missing.join(", ")}`,
  );
}

/** What is invalid in this cluster on its provider. */
function inputBlocker(machines: MachineProvider, input: ClusterInput): ClusterBlocker | undefined {
  const pools = poolsOf(input.cluster);
  const unsupported = pools.map(({ machine }) => unsupportedSystem(machines, machine.os.type)).find(Boolean);
  if (unsupported !== undefined) return fault("UnsupportedSystem", unsupported);
  const [first] = [...pools.flatMap(nodeLabelFaults), ...machines.faults(input)];
  return first === undefined ? undefined : fault("InvalidSettings", first);
}

/** A namespace with the cluster's name that existed before it, or belongs to another owner. */
export function namespaceBlocker({ namespace, cluster }: Observed): ClusterBlocker | undefined {
  if (namespace === undefined || isNamespaceOf(namespace.metadata.labels, cluster)) return undefined;
  const { name } = namespace.metadata;
  return fault(
    "NamespaceTaken",
    `namespace ${name} already exists and does not belong to this cluster; delete the namespace, or recreate the cluster`,
  );
}

function isNamespaceOf(found: Readonly<Record<string, string>> = {}, { metadata }: TenantCluster): boolean {
  return found[labels.sourceName] === metadata.name && found[labels.sourceNamespace] === metadata.namespace;
}

function waiting(reason: string, message: string): ClusterBlocker {
  return { reason, message, isPassing: true };
}

function fault(reason: string, message: string): ClusterBlocker {
  return { reason, message, isPassing: false };
}
