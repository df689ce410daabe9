import { ButlerConfig, butlerConfigName, type LocalMachine, machineImageFault } from "@butler/api";
import { Cluster, labelledClusterName, Machine, ownerName, Pod } from "@butler/api-external";
import type { CacheReader, ObserveContext } from "@butler/controller";
import { builtinKinds, type DynamicObject, isOwnedBy } from "@butler/resource";
import { isRecord } from "@butler/std";
import { translateBootstrapData } from "../cloud-config/translate.ts";
import type { LocalProviderPorts } from "../ports/local-provider-ports.ts";
import { machineSecretName } from "./manifests.ts";
import type { BootstrapData, Observed } from "./plan.ts";

/** Reads what the plan needs, and translates the bootstrap data into a script. */
export function observe({
  primary,
  read,
  ports,
}: ObserveContext<typeof LocalMachine, Pick<LocalProviderPorts, "nodeImages">>): Observed {
  const { name, namespace } = primary.metadata;
  const owner = ownerName(primary, Machine);
  const machine =
    owner === undefined ? undefined : (read.get(Machine, { name: owner, namespace }) as Machine | undefined);
  const clusterName = machine?.spec.clusterName ?? labelledClusterName(primary);
  const cluster = clusterName === undefined ? undefined : read.get(Cluster, { name: clusterName, namespace });
  const secret = read.get(builtinKinds.Secret, { name: machineSecretName(primary), namespace });
  const hostname = hostnameOf(primary, machine);
  const version = machine?.spec.version;
  const config = read.get(ButlerConfig, { name: butlerConfigName });
  return {
    localMachine: primary,
    machine,
    cluster,
    bootstrap: bootstrapData(read, machine, { localHostname: hostname, instanceId: name }),
    pod: read.get(Pod, { name, namespace }) as Pod | undefined,
    hasSecret: secret !== undefined && isOwnedBy(secret, primary),
    hostname,
    image: primary.spec.image ?? (version === undefined ? undefined : ports.nodeImages(version)),
    imageFault: machineImageFault(primary.spec.image, config),
  };
}

/** The Machine's name if it is a valid host name, else that of the LocalMachine, which always is. */
function hostnameOf(localMachine: LocalMachine, machine: Machine | undefined): string {
  const name = machine?.metadata.name ?? "";
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name) ? name : localMachine.metadata.name;
}

function bootstrapData(
  read: CacheReader,
  machine: Machine | undefined,
  metadata: Parameters<typeof translateBootstrapData>[0]["metadata"],
): BootstrapData {
  const secret = machine && bootstrapSecret(read, machine);
  const data = secret && dataOf(secret, "value");
  if (data === undefined) {
    const name = machine?.spec.bootstrap.dataSecretName;
    const message =
      name === undefined
        ? "waiting for the bootstrap provider to create the bootstrap data"
        : `waiting for Secret ${name} with the cluster label and the key "value"`;
    return { kind: "missing", message };
  }
  const format = secret && dataOf(secret, "format");
  return translateBootstrapData({ data, format: format && Buffer.from(format).toString(), metadata });
}

/**
 * The Secret that the Machine refers to or, as long as it refers to none, the one created by its bootstrap object:
 * Cluster API sets the reference only after it has connected to the tenant, which takes a while for a new one.
 */
function bootstrapSecret(read: CacheReader, { metadata: { namespace }, spec }: Machine): DynamicObject | undefined {
  const { dataSecretName, configRef } = spec.bootstrap;
  if (dataSecretName !== undefined) return read.get(builtinKinds.Secret, { name: dataSecretName, namespace });
  if (configRef === undefined) return undefined;
  const secret = read.get(builtinKinds.Secret, { name: configRef.name, namespace });
  const owner = secret && ownerName(secret, { group: configRef.apiGroup, kind: configRef.kind });
  return owner === configRef.name ? secret : undefined;
}

function dataOf(secret: DynamicObject, key: string): Uint8Array | undefined {
  const value = isRecord(secret["data"]) ? secret["data"][key] : undefined;
  return typeof value === "string" ? Buffer.from(value, "base64") : undefined;
}
