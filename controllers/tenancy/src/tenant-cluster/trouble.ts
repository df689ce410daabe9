import { labels, type TenantCluster } from "@butler/api";
import { keyText } from "@butler/resource";
import { type MachineProvider, machineProviderOf } from "./machines/index.ts";
import { nodeLabelFaults } from "./machines/accepted-node-labels.ts";
import type { ClusterInput } from "./machines/machine-provider.ts";
import { unsupportedPair } from "./machines/unsupported.ts";
import type { Observed, ObservedProvider } from "./observed.ts";
import { poolsOf } from "./settings.ts";

/** What keeps a cluster from being made, for a condition. */
export interface Trouble {
  readonly reason: string;
  readonly message: string;
  /** Whether it goes away by itself, such as an object that is still to come. */
  readonly isPassing: boolean;
}

/** The provider that machines come from, or what keeps it from being used. */
export function providerTrouble(observed: Observed): Trouble | MachineProvider {
  const { provider, cluster, isProviderServed } = observed;
  const { key, found } = provider;
  if (key === undefined) {
    return waiting("NoProvider", "neither the cluster nor its team nor the platform names a ProviderConfig");
  }
  if (found === undefined) {
    return waiting("ProviderConfigNotFound", `there is no ProviderConfig ${keyText(key)}`);
  }
  if (found.spec.scope?.type === "team" && found.spec.scope.teamRef?.name !== cluster.spec.teamRef?.name) {
    return fault("ProviderAccessDenied", `ProviderConfig ${key.name} belongs to another team`);
  }
  const machines = machineProviderOf(found.spec.provider);
  if (machines === undefined) return fault("UnsupportedProvider", `the provider ${found.spec.provider} is unsupported`);
  if (!isProviderServed) {
    return waiting("ProviderNotInstalled", `Cluster API's provider for ${machines.type} is not installed`);
  }
  return credentialTrouble(machines, provider) ?? machines;
}

function credentialTrouble(
  { credentialKeys }: MachineProvider,
  { found, credentials }: ObservedProvider,
): Trouble | undefined {
  const name = found?.metadata.name;
  if (credentials === undefined) {
    return waiting("CredentialsInvalid", `ProviderConfig ${name} cannot be used: its Secret is not there`);
  }
  const missing = credentialKeys.filter((key) => credentials[key] === undefined);
  if (missing.length === 0) return undefined;
  return waiting("CredentialsInvalid", `ProviderConfig ${name} cannot be used: its Secret lacks ${missing.join(", ")}`);
}

/** What is wrong with this cluster on its provider. */
export function inputTrouble(machines: MachineProvider, input: ClusterInput): Trouble | undefined {
  const pools = poolsOf(input.cluster);
  const unsupported = pools.map(({ machine }) => unsupportedPair(machines.type, machine.os.type)).find(Boolean);
  if (unsupported !== undefined) return fault("UnsupportedSystem", unsupported);
  const [first] = [...pools.flatMap(nodeLabelFaults), ...machines.faults(input)];
  return first === undefined ? undefined : fault("InvalidSettings", first);
}

/** A namespace of the cluster's name that was there before it, or is somebody else's. */
export function namespaceTrouble({ namespace, cluster }: Observed): Trouble | undefined {
  if (namespace === undefined || isNamespaceOf(namespace.metadata.labels, cluster)) return undefined;
  const { name } = namespace.metadata;
  return fault(
    "NamespaceTaken",
    `the namespace ${name} is there and belongs to somebody else; delete it, or make the cluster anew`,
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
