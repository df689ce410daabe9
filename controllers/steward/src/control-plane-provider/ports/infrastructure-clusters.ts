import { managedByAnnotation } from "@butler/api-external";
import type { KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, type Kind, type ObjectKey } from "@butler/resource";
import { isRecord, NotFound } from "@butler/std";
import type { AnnounceEndpoint, InfrastructureCluster } from "../infrastructure.ts";
import type { InfrastructureKind } from "../infrastructure-kinds.ts";
import { wholeEndpoint } from "../tenant-facts.ts";

/** The infrastructure clusters of other providers. */
export interface InfrastructureClusters {
  /** Undefined when the object or its whole kind does not exist. */
  find(kind: InfrastructureKind, key: ObjectKey, signal: AbortSignal): Promise<InfrastructureCluster | undefined>;
  /** Sets the endpoint on one. Idempotent. */
  announce(announcement: AnnounceEndpoint, signal: AbortSignal): Promise<void>;
}

/** The value of Cluster API's annotation for externally managed infrastructure that means Steward. */
const ourName = "steward";

/** Reads and writes through the API, in the version that the provider's CRD offers for Cluster API's contract. */
export function createInfrastructureClusters(client: KubeClient): InfrastructureClusters {
  return {
    find: async (kind, key, signal) => {
      const served = await servedKind(client, kind, signal);
      const object = served && (await client.find(served, key, signal));
      return object && readInfrastructureCluster(kind, object);
    },
    announce: async ({ kind, name, namespace, uid, endpoint, isOurs }, signal) => {
      const served = await servedKind(client, kind, signal);
      if (served === undefined) return;
      const change = { type: "merge", signal } as const;
      try {
        const spec = endpointFields(kind, endpoint);
        await client.patch(served, { name, namespace }, { ...change, patch: { metadata: { uid }, spec } });
        if (!isOurs) return;
        // Both contracts' words; the API server drops the one that the kind does not have.
        const status = { ready: true, initialization: { provisioned: true } };
        const patch = { metadata: { uid }, status };
        await client.patch(served, { name, namespace }, { ...change, subresource: "status", patch });
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
      }
    },
  };
}

async function servedKind(
  client: KubeClient,
  { group, kind, plural }: InfrastructureKind,
  signal: AbortSignal,
): Promise<Kind | undefined> {
  const crd = await client.find(builtinKinds.CustomResourceDefinition, { name: `${plural}.${group}` }, signal);
  const version = crd && contractVersion(crd);
  return version === undefined ? undefined : { group, kind, plural, version, scope: "Namespaced" };
}

/** The version of a CRD that keeps the newest contract, as its labels say; without labels, the one that is stored. */
export function contractVersion({ metadata, ...crd }: DynamicObject): string | undefined {
  const { versions = [] } = (isRecord(crd["spec"]) ? crd["spec"] : {}) as { versions?: readonly CrdVersion[] };
  const served = versions.filter((version) => version.served);
  const labelled = ["v1beta2", "v1beta1"].flatMap((contract) =>
    (metadata.labels?.[`cluster.x-k8s.io/${contract}`] ?? "").split("_").toReversed(),
  );
  const known = labelled.find((name) => served.some((version) => version.name === name));
  return known ?? (served.find(({ storage }) => storage) ?? served[0])?.name;
}

interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

/** What an infrastructure cluster says about its endpoint. */
export function readInfrastructureCluster(kind: InfrastructureKind, object: DynamicObject): InfrastructureCluster {
  const spec = recordIn(object, "spec");
  const status = recordIn(object, "status");
  const endpoint =
    kind.form === "apiServerFixedIP"
      ? { host: spec["apiServerFixedIP"], port: spec["apiServerPort"] }
      : recordIn(spec, "controlPlaneEndpoint");
  return {
    uid: object.metadata.uid,
    endpoint: wholeEndpoint({ host: textOf(endpoint["host"]), port: numberOf(endpoint["port"]) }),
    isOurs: object.metadata.annotations?.[managedByAnnotation] === ourName,
    isProvisioned: status["ready"] === true || recordIn(status, "initialization")["provisioned"] === true,
  };
}

function endpointFields(kind: InfrastructureKind, { host, port }: AnnounceEndpoint["endpoint"]): object {
  if (kind.form === "apiServerFixedIP") return { apiServerFixedIP: host, apiServerPort: port };
  return { controlPlaneEndpoint: { host, port } };
}

function recordIn(record: Readonly<Record<string, unknown>>, field: string): Record<string, unknown> {
  const value = record[field];
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
