import { labels, type TenantCluster } from "@butler/api";
import {
  type ClusterInput,
  type MachineProvider,
  machineProviderOf,
  nodeLabelFaults,
  poolsOf,
  unsupportedSystem,
} from "@butler/provider";
import { keyText } from "@butler/resource";
import type { Observed, ObservedProvider } from "./observed.ts";

/** What keeps a cluster from being created, for a condition. */
export interface Trouble {
  readonly reason: string;
  readonly message: string;
  /** Whether it can resolve without a change to the cluster, such as a missing object. */
  readonly isPassing: boolean;
}

/** The provider of the machines, or what keeps it from being used. */
export function providerTrouble(
  observed: Observed,
  machineProviders: readonly MachineProvider[],
): Trouble | MachineProvider {
  const { provider, cluster, isProviderServed } = observed;
  const { key, found } = provider;
  if (key === undefined) {
    return waiting("NoProvider", "no ProviderConfig is set on the cluster, its team or the platform");
  }
  if (found === undefined) {
    return waiting("ProviderConfigNotFound", `ProviderConfig ${keyText(key)} not found`);
  }
  if (found.spec.scope?.type === "team" && found.spec.scope.teamRef?.name !== cluster.spec.teamRef?.name) {
    return fault("ProviderAccessDenied", `ProviderConfig ${key.name} belongs to another team`);
  }
  const machines = machineProviderOf(machineProviders, found.spec.provider);
  if (machines === undefined) return fault("UnsupportedProvider", `provider ${found.spec.provider} is not supported`);
  if (!isProviderServed) {
    return waiting("ProviderNotInstalled", `the Cluster API provider for ${machines.type} is not installed`);
  }
  return credentialTrouble(machines, provider) ?? machines;
}

function credentialTrouble(
  { credentialKeys }: MachineProvider,
  { found, credentials }: ObservedProvider,
): Trouble | undefined {
  const name = found?.metadata.name;
  if (credentials === undefined) {
    return waiting("CredentialsInvalid", `credentials Secret of ProviderConfig ${name} not found`);
  }
  const missing = credentialKeys.filter((key) => credentials[key] === undefined);
  if (missing.length === 0) return undefined;
  return waiting("CredentialsInvalid", `credentials Secret of ProviderConfig ${name} is missing ${missing.join(", ")}`);
}

/** What is invalid in this cluster on its provider. */
export function inputTrouble(machines: MachineProvider, input: ClusterInput): Trouble | undefined {
  const pools = poolsOf(input.cluster);
  const unsupported = pools.map(({ machine }) => unsupportedSystem(machines, machine.os.type)).find(Boolean);
  if (unsupported !== undefined) return fault("UnsupportedSystem", unsupported);
  const [first] = [...pools.flatMap(nodeLabelFaults), ...machines.faults(input)];
  return first === undefined ? undefined : fault("InvalidSettings", first);
}

/** A namespace with the cluster's name that existed before it, or belongs to another owner. */
export function namespaceTrouble({ namespace, cluster }: Observed): Trouble | undefined {
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

function waiting(reason: string, message: string): Trouble {
  return { reason, message, isPassing: true };
}

function fault(reason: string, message: string): Trouble {
  return { reason, message, isPassing: false };
}
