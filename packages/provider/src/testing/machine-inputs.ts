import { ProviderConfig, type ProviderType, TenantCluster } from "@butler/api";
import { clusterNameLabel } from "@butler/api-external";
import { parseObject } from "@butler/resource";
import type { ClusterInput } from "../machine-provider.ts";

/** Some UUIDs that differ. */
export const uuids = {
  cluster: "11111111-aaaa-4bbb-8ccc-000000000001",
  subnet: "11111111-aaaa-4bbb-8ccc-000000000002",
  image: "11111111-aaaa-4bbb-8ccc-000000000003",
  container: "11111111-aaaa-4bbb-8ccc-000000000004",
  other: "22222222-aaaa-4bbb-8ccc-000000000005",
} as const;

/** The fields of the input that a test sets; all others have valid values. */
export interface InputTraits {
  /** The spec of the TenantCluster. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  /** Additional fields of its ProviderConfig. */
  readonly provider?: Readonly<Record<string, unknown>>;
  /** Settings in the provider's own block. */
  readonly block?: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly sshAuthorizedKey?: string | undefined;
  readonly kubernetesVersion?: string;
  readonly name?: string;
}

/** A kubeconfig as Harvester generates it, with changes to its cluster and user. */
export function aKubeconfig(cluster: object = {}, user: object = { token: "harvester-token" }): string {
  const server = "https://harvester.example.com/k8s/clusters/local";
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "local", cluster: { server, "certificate-authority-data": btoa("authority"), ...cluster } }],
    users: [{ name: "local", user }],
    contexts: [{ name: "local", context: { cluster: "local", user: "local" } }],
    "current-context": "local",
  });
}

/** An SSH public key, made from a type and any bytes. */
export function anSshKey(type = "ssh-ed25519", bytes: Uint8Array = Buffer.alloc(32, 7)): string {
  const parts = [Buffer.from(type), Buffer.from(bytes)].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, part];
  });
  return `${type} ${Buffer.concat(parts).toString("base64")}`;
}

const blocks: Partial<Record<ProviderType, object>> = {
  harvester: { networkName: "default/vlan40", imageName: "default/rocky-9" },
  nutanix: {
    endpoint: "https://prism.example.com",
    clusterUUID: uuids.cluster,
    subnetUUID: uuids.subnet,
    imageUUID: uuids.image,
  },
};

const credentials: Partial<Record<ProviderType, Record<string, string>>> = {
  harvester: { kubeconfig: aKubeconfig() },
  nutanix: { username: "butler", password: "nutanix-password" },
};

/** The input for rendering a cluster on a provider. */
export function anInput(type: "harvester" | "nutanix", traits: InputTraits = {}): ClusterInput {
  const { name = "shop", kubernetesVersion = "v1.34.1", sshAuthorizedKey } = traits;
  const namespace = `${name}-0a1b2c3d`;
  const provider = parseObject(ProviderConfig, {
    apiVersion: ProviderConfig.apiVersion,
    kind: ProviderConfig.kind,
    metadata: { name: type, namespace: "butler-system" },
    spec: {
      provider: type,
      credentialsRef: { name: `${type}-credentials` },
      ...traits.provider,
      [type]: { ...blocks[type], ...traits.block },
    },
  });
  const cluster = parseObject(TenantCluster, {
    apiVersion: TenantCluster.apiVersion,
    kind: TenantCluster.kind,
    metadata: { name, namespace: "payments", uid: "0a1b2c3d-0000-4000-8000-000000000000" },
    spec: { kubernetesVersion, ...traits.cluster },
  });
  return {
    cluster,
    namespace,
    labels: { [clusterNameLabel]: name, "app.kubernetes.io/managed-by": "butler" },
    annotations: { "butler.butlerlabs.dev/owner": "ada@example.com" },
    kubernetesVersion,
    provider,
    credentials: traits.credentials ?? credentials[type] ?? {},
    sshAuthorizedKey,
  };
}
