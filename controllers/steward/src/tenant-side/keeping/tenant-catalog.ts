import { type Kind, kindId, type KubeObject, keyText, type ObjectKey } from "@butler/resource";
import { keptKindOf } from "../kinds.ts";
import { tenantObjects } from "../objects/tenant-objects.ts";

/** An object's kind and key as one string. */
export function objectId(kind: Kind, key: ObjectKey): string {
  return `${kindId(kind)} ${keyText(key)}`;
}

/** An object's kind and key as one string. */
export function idOf(object: KubeObject): string {
  return objectId(keptKindOf(object), object.metadata);
}

/**
 * Every object that Steward may manage in a tenant, by ID, as a skeleton of kind and key. Only objects in this
 * catalog are deleted when no longer desired; others never are, whatever their labels.
 */
export const catalog: ReadonlyMap<string, KubeObject> = new Map(
  tenantObjects({
    clusterName: "any",
    version: "v1.36.0",
    endpoint: { host: "any.invalid", port: 6443 },
    caPem: "",
    clusterDomain: "cluster.local",
    serviceCidr: "10.96.0.0/16",
    podCidr: "10.244.0.0/16",
    coreDNS: {},
    kubeProxy: {},
  }).map(({ apiVersion, kind, metadata: { name, namespace } }) => {
    const skeleton = { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
    return [idOf(skeleton), skeleton];
  }),
);
