import { builtinKinds, type DynamicObject, isConditionTrue, type Kind, type KubeObject } from "@butler/resource";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findInfrastructureKind, type InfrastructureKind } from "../infrastructure-kinds.ts";
import { endpoint } from "../testing/objects.ts";
import { createInfrastructureClusters } from "./infrastructure-clusters.ts";

const group = "infrastructure.cluster.x-k8s.io";

interface Provider {
  readonly folder: string;
  /** The label that the provider's own installation sets on its CRDs. */
  readonly contracts: Record<string, string>;
  /** The version in which an object is created. */
  readonly version: string;
  /** Required fields of the CRD. */
  readonly spec?: object;
}

const providers: Record<string, Provider> = {
  AWSCluster: { folder: "aws", contracts: { v1beta1: "v1beta1_v1beta2" }, version: "v1beta2" },
  AzureCluster: { folder: "azure", contracts: { v1beta1: "v1beta1" }, version: "v1beta1", spec: { location: "north" } },
  GCPCluster: {
    folder: "gcp",
    contracts: { v1beta1: "v1beta1" },
    version: "v1beta1",
    spec: { project: "p", region: "r" },
  },
  KubevirtCluster: { folder: "kubevirt", contracts: { v1beta1: "v1alpha1" }, version: "v1alpha1" },
  NutanixCluster: { folder: "nutanix", contracts: { v1beta1: "v1beta1" }, version: "v1beta1" },
  ProxmoxCluster: {
    folder: "proxmox",
    contracts: { v1beta1: "v1alpha2", v1beta2: "v1alpha2" },
    version: "v1alpha2",
    spec: {
      dnsServers: ["10.0.0.1"],
      ipv4Config: { addresses: ["10.0.0.10-10.0.0.20"], gateway: "10.0.0.1", prefix: 24 },
    },
  },
  VSphereCluster: {
    folder: "vsphere",
    contracts: { v1beta1: "v1beta1", v1beta2: "v1beta2" },
    version: "v1beta2",
    spec: { server: "vcenter.example.com" },
  },
};

const crdsFolder = fileURLToPath(new URL("../../../../../../shared/crds/", import.meta.url));

function knownKind(kind: string): InfrastructureKind {
  const known = findInfrastructureKind({ apiGroup: group, kind });
  if (known === undefined) throw new Error(`${kind} is not in the table`);
  return known;
}

// The complete CRDs are not part of this repository; stand-ins are used beside the controller, with the same calls.
describe.skipIf(!existsSync(crdsFolder))("infrastructure clusters with the CRDs of their own projects", () => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await aTestCluster();
  });
  afterAll(() => cluster?.stop());

  async function install(kind: InfrastructureKind, { folder, contracts }: Provider): Promise<void> {
    const name = `${kind.plural}.${group}`;
    const file = `${crdsFolder}cluster-api-provider-${folder}/${group}_${kind.plural}.yaml`;
    const crd = parse(await readFile(file, "utf8")) as KubeObject;
    const labels = Object.fromEntries(
      Object.entries(contracts).map(([key, value]) => [`cluster.x-k8s.io/${key}`, value]),
    );
    const definitions = builtinKinds.CustomResourceDefinition;
    await cluster.client.create(definitions, { ...crd, metadata: { ...crd.metadata, labels } });
    await eventually(async () => {
      const { status } = (await cluster.client.get(definitions, { name })) as DynamicObject & {
        status?: { conditions?: Parameters<typeof isConditionTrue>[0] };
      };
      return isConditionTrue(status?.conditions, "Established");
    });
  }

  it.each(Object.entries(providers))("accept the endpoint: %s", async (name, provider) => {
    const kind = knownKind(name);
    await install(kind, provider);
    const key = { name: "blue", namespace: "default" };
    const served: Kind = { group, kind: name, plural: kind.plural, version: provider.version, scope: "Namespaced" };
    const metadata = { ...key, annotations: { "cluster.x-k8s.io/managed-by": "steward" } };
    const apiVersion = `${group}/${provider.version}`;
    await cluster.client.create(served, { apiVersion, kind: name, metadata, spec: provider.spec ?? {} } as KubeObject);

    const { signal } = new AbortController();
    const clusters = createInfrastructureClusters(cluster.client);
    const found = await clusters.find(kind, key, signal);
    expect(found).toMatchObject({ endpoint: undefined, isOurs: true, isProvisioned: false });
    const announcement = { type: "announceEndpoint", kind, ...key, uid: found?.uid, endpoint, isOurs: true } as const;
    await clusters.announce(announcement, signal);
    await clusters.announce(announcement, signal);
    expect(await clusters.find(kind, key, signal)).toEqual({ ...found, endpoint, isProvisioned: true });
  });

  it("are undefined when the object, or its whole kind, does not exist", async () => {
    const { signal } = new AbortController();
    const clusters = createInfrastructureClusters(cluster.client);
    const missing = { name: "missing", namespace: "default" };
    expect(await clusters.find(knownKind("AWSCluster"), missing, signal)).toBeUndefined();
    expect(await clusters.find(knownKind("HetznerCluster"), missing, signal)).toBeUndefined();
    const kind = knownKind("HetznerCluster");
    await clusters.announce({ type: "announceEndpoint", kind, ...missing, uid: "u", endpoint, isOurs: false }, signal);
  });

  it("are not changed when one has the same name but another UID", async () => {
    const kind = knownKind("AWSCluster");
    const { signal } = new AbortController();
    const key = { name: "blue", namespace: "default" };
    const elsewhere = { host: "192.0.2.1", port: 443 };
    const clusters = createInfrastructureClusters(cluster.client);
    const announcement = {
      type: "announceEndpoint",
      kind,
      ...key,
      uid: "other",
      endpoint: elsewhere,
      isOurs: false,
    } as const;
    await expect(clusters.announce(announcement, signal)).rejects.toThrow("uid");
    expect((await clusters.find(kind, key, signal))?.endpoint).toEqual(endpoint);
  });
});
