import { DataStore, TenantControlPlane } from "@butler/api";
import { type InputOf, type ObjectMeta, parseObject } from "@butler/resource";

type Spec = InputOf<typeof TenantControlPlane>["spec"];
type Settings = NonNullable<Spec["controlPlane"]["deployment"]>;

/** The fields that a test sets; all others have arbitrary values. */
export interface ControlPlaneTraits {
  readonly metadata?: Partial<ObjectMeta>;
  readonly version?: string;
  readonly deployment?: Settings;
  readonly serviceType?: "ClusterIP" | "NodePort" | "LoadBalancer";
  readonly spec?: Partial<Spec>;
  readonly controlPlane?: Partial<Spec["controlPlane"]>;
  readonly status?: TenantControlPlane["status"];
}

/** A control plane as a user would write it. */
export function aControlPlaneManifest(traits: ControlPlaneTraits = {}): InputOf<typeof TenantControlPlane> {
  const { metadata = {}, version = "v1.36.3", deployment = {}, serviceType = "ClusterIP", spec, status } = traits;
  return {
    apiVersion: TenantControlPlane.apiVersion,
    kind: TenantControlPlane.kind,
    metadata: { name: "blue", namespace: "tenants", ...metadata },
    spec: {
      dataStore: "shared",
      controlPlane: { deployment, service: { serviceType }, ...traits.controlPlane },
      kubernetes: { version, kubelet: {} },
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  };
}

/** A control plane with all defaults, as the API server would return it. */
export function aControlPlane(traits: ControlPlaneTraits = {}): TenantControlPlane {
  const manifest = aControlPlaneManifest(traits);
  const metadata = { uid: "0f0e5e0a-0000-4000-8000-000000000001", generation: 1, ...manifest.metadata };
  return parseObject(TenantControlPlane, { ...manifest, metadata });
}

interface StoreTraits {
  readonly name?: string;
  /** The namespace of its Secret, which has the same name. */
  readonly namespace?: string;
  readonly endpoint?: string;
}

/** A shared DataStore. */
export function aDataStore({
  name = "shared",
  namespace = "stores",
  endpoint = "10.0.0.9:2379",
}: StoreTraits = {}): InputOf<typeof DataStore> {
  const ref = (keyPath: string) => ({ secretReference: { name, namespace, keyPath } });
  return {
    apiVersion: DataStore.apiVersion,
    kind: DataStore.kind,
    metadata: { name },
    spec: {
      driver: "etcd",
      endpoints: [endpoint],
      tlsConfig: {
        certificateAuthority: { certificate: ref("ca.crt"), privateKey: ref("ca.key") },
        clientCertificate: { certificate: ref("root.crt"), privateKey: ref("root.key") },
      },
    },
  };
}
