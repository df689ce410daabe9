import { labels, parseKubernetesVersion, TenantCluster, versionFault } from "@butler/api";
import { UsageError } from "@butler/cli-kit";
import { type InputOf, type KubeObject, parseKeyText } from "@butler/resource";
import { InvalidInput, isRecord } from "@butler/std";
import { isScalar, parseAllDocuments } from "yaml";

/** Options for a new cluster; environment, team and platform set defaults for those left out. */
export interface NewClusterOptions {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly team?: string | undefined;
  readonly environment?: string | undefined;
  readonly kubernetesVersion?: string | undefined;
  readonly provider?: string | undefined;
  readonly workers?: number | undefined;
  readonly cpu?: number | undefined;
  readonly memory?: string | undefined;
  readonly disk?: string | undefined;
  /** `type`, or `type:version`. */
  readonly os?: string | undefined;
  readonly image?: string | undefined;
  readonly schematicId?: string | undefined;
  readonly podCidr?: string | undefined;
  readonly serviceCidr?: string | undefined;
  /** One address, or `first-last`. */
  readonly lbPool?: string | undefined;
}

/** A cluster as it is sent to the API server. */
export type NewCluster = InputOf<typeof TenantCluster>;

/** The parts of a manifest that options are laid over. */
export interface Manifest extends KubeObject {
  readonly spec: Record<string, unknown>;
}

/** Reads a manifest with one TenantCluster, in YAML or JSON. */
export function parseManifest(text: string, source: string): Manifest {
  const value = parseOneDocument(text, source);
  if (!isRecord(value) || value["kind"] !== TenantCluster.kind || value["apiVersion"] !== TenantCluster.apiVersion) {
    throw new InvalidInput(`${source} is not a TenantCluster with apiVersion ${TenantCluster.apiVersion}`);
  }
  const { metadata = {}, spec = {} } = value;
  if (!isRecord(metadata) || !isRecord(spec)) throw new InvalidInput(`metadata and spec in ${source} must be objects`);
  // Fields that only the API server writes would be rejected, or would identify another object.
  const { uid: _uid, resourceVersion: _version, managedFields: _fields, ...own } = metadata;
  return { ...value, metadata: own, spec } as unknown as Manifest;
}

function parseOneDocument(text: string, source: string): unknown {
  const found = parseAllDocuments(text);
  const documents = Array.isArray(found) ? found : [];
  // Leading and trailing separators create empty documents, which are ignored.
  const isEmpty = ({ contents }: (typeof documents)[number]): boolean =>
    contents === null || (isScalar(contents) && contents.value === null);
  const [document, ...others] = documents.filter((each) => !isEmpty(each) || each.errors.length > 0);
  if (document === undefined) throw new InvalidInput(`${source} is empty`);
  if (others.length > 0)
    throw new InvalidInput(`${source} contains more than one document; expected one TenantCluster`);
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new InvalidInput(`${source} is not valid YAML: ${problem.message.split("\n")[0] ?? ""}`);
  return document.toJS({ maxAliasCount: 100 });
}

/** The cluster that the options describe, merged over a manifest if there is one. */
export function buildCluster(options: NewClusterOptions, manifest?: Manifest): NewCluster {
  const { metadata = { name: "" }, spec = {} } = manifest ?? {};
  const { name = metadata.name, namespace = metadata.namespace } = options;
  if (name === undefined || name === "") {
    throw new UsageError("the cluster name is required", { hint: "Pass it as an argument." });
  }
  const environment = options.environment === undefined ? {} : { [labels.environment]: options.environment };
  return {
    apiVersion: TenantCluster.apiVersion,
    kind: TenantCluster.kind,
    metadata: { ...metadata, name, ...without({ namespace, labels: { ...metadata.labels, ...environment } }) },
    spec: merged(spec, specOf(options)),
  };
}

type Parts = Readonly<Record<string, unknown>>;

function specOf(options: NewClusterOptions): Parts {
  return without({
    kubernetesVersion: options.kubernetesVersion === undefined ? undefined : versionOf(options.kubernetesVersion),
    teamRef: options.team === undefined ? undefined : { name: options.team },
    providerConfigRef: options.provider === undefined ? undefined : parseKeyText(options.provider),
    workers: without({ replicas: options.workers, machineTemplate: machineOf(options) }),
    networking: without({
      podCIDR: options.podCidr,
      serviceCIDR: options.serviceCidr,
      loadBalancerPool: options.lbPool === undefined ? undefined : poolOf(options.lbPool),
    }),
  });
}

function machineOf({ cpu, memory, disk, os, image, schematicId }: NewClusterOptions): Parts {
  const [type, version] = os?.split(":") ?? [];
  return without({
    cpu,
    memory,
    diskSize: disk,
    os: without({ type, version, imageRef: image, schematicID: schematicId }),
  });
}

function versionOf(text: string): string {
  const fault = versionFault(text);
  if (fault !== undefined) throw new UsageError(`--kubernetes-version ${fault}`);
  return parseKubernetesVersion(text)?.text ?? text;
}

function poolOf(text: string): Parts {
  const [start = "", end = start, ...rest] = text.split("-");
  if (rest.length === 0 && start !== "" && end !== "") return { start, end };
  throw new UsageError(`--lb-pool takes an address or FIRST-LAST, not "${text}"`);
}

/** Omits undefined fields, and objects without fields. */
function without(parts: Parts): Parts {
  return Object.fromEntries(
    Object.entries(parts).filter(
      ([, value]) => value !== undefined && !(isRecord(value) && Object.keys(value).length === 0),
    ),
  );
}

function merged(below: Parts, above: Parts): Parts {
  const both = Object.entries(above).map(([key, value]) => {
    const lower = below[key];
    return [key, isRecord(value) && isRecord(lower) ? merged(lower, value) : value];
  });
  return { ...below, ...Object.fromEntries(both) };
}
