import { KubeadmConfigTemplate } from "@butler/api-external";
import { covers } from "@butler/controller";
import { createAuthority } from "@butler/pki";
import { bootstrapSpec, type ClusterInput, type MachineProvider, type PoolInput } from "@butler/provider";
import { harvesterMachines } from "@butler/provider-harvester";
import { nutanixMachines } from "@butler/provider-nutanix";
import { aKubeconfig, anInput, anSshKey, type InputTraits, mainPool, uuids } from "@butler/provider/testing";
import { apiVersionOf, builtinKinds, type DynamicObject, type Kind, type KubeObject } from "@butler/resource";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasCompleteCrd, installMachineCrds, machineKinds, VirtualMachine } from "./testing/provider-crds.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster();
  await installMachineCrds(cluster.client);
});
afterAll(() => cluster?.stop());

const providers = { harvester: harvesterMachines, nutanix: nutanixMachines };
const { cert } = await createAuthority("prism");

const sizes = { cpu: 2, memory: "4.5Gi", diskSize: 107_374_182_400 };
const labels = { tier: "web", "example.com/gpu": "", "node-role.kubernetes.io/worker": "" };
const taints = [{ key: "example.com/gpu", value: "yes", effect: "NoSchedule" }];
const sshAuthorizedKey = `${anSshKey()} ada@example.com`;
const longName = "a".repeat(54);

const inputs: [keyof typeof providers, string, InputTraits][] = [
  ["harvester", "only the required fields", {}],
  ["harvester", "the longest name", { name: longName }],
  [
    "harvester",
    "everything",
    {
      name: "everything",
      sshAuthorizedKey,
      credentials: {
        kubeconfig: aKubeconfig({}, { "client-certificate-data": btoa("cert"), "client-key-data": btoa("key") }),
      },
      block: { storageClassName: "fast", namespace: "vms", endpoint: "https://10.0.0.5:6443" },
      cluster: {
        workers: { replicas: 5, machineTemplate: sizes, labels, taints },
        infrastructureOverride: { harvester: { networkName: "default/vlan9", imageName: "images/rocky-9.5" } },
      },
    },
  ],
  ["nutanix", "only the required fields", {}],
  ["nutanix", "the longest name", { name: longName }],
  [
    "nutanix",
    "everything",
    {
      name: "everything",
      sshAuthorizedKey,
      credentials: { username: 'ada"\\', password: "p{{a}}\n", "ca.pem": cert },
      block: { endpoint: "https://[2001:db8::5]:443", insecure: true, storageContainerUUID: uuids.container },
      provider: { network: { subnet: "vlan 40" } },
      cluster: { workers: { machineTemplate: { ...sizes, os: { imageRef: "rocky 9" } }, labels, taints } },
    },
  ],
];

function templates(provider: MachineProvider, input: ClusterInput, pool: PoolInput): KubeObject[] {
  const { namespace } = input;
  const metadata = { name: `${input.cluster.metadata.name}-${pool.name}`, namespace };
  const kind = provider.machineTemplateKind;
  const bootstrap = bootstrapSpec(provider, input, pool);
  const machine = { template: kind, spec: provider.machineTemplateSpec(input, pool) };
  const bootstrapping = { template: KubeadmConfigTemplate, spec: { template: { spec: bootstrap } } };
  return [machine, bootstrapping].map(({ template, spec }) => {
    const object: DynamicObject = { apiVersion: apiVersionOf(template), kind: template.kind, metadata, spec };
    return object;
  });
}

function kindOf(object: KubeObject): Kind {
  const kinds = [...machineKinds, builtinKinds.Secret];
  const found = kinds.find((kind) => apiVersionOf(kind) === object.apiVersion && kind.kind === object.kind);
  return found ?? expect.fail(`unknown kind ${object.apiVersion} ${object.kind}`);
}

function apply(object: KubeObject): Promise<KubeObject> {
  return cluster.client.apply(kindOf(object), object, { fieldManager: "butler", fieldValidation: "Strict" });
}

async function ensureNamespace(name: string): Promise<void> {
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await cluster.client.apply(builtinKinds.Namespace, object, { fieldManager: "butler" });
}

const complete = machineKinds.filter(hasCompleteCrd).map(({ kind }) => kind);

describe(`a real API server with the complete CRDs of ${complete.join(", ") || "no provider"}, and small schemas otherwise`, () => {
  it.each(inputs)(
    "accepts a cluster on %s with %s, and a second apply without a change",
    async (type, _name, traits) => {
      const provider = providers[type];
      const input = anInput(type, traits);
      expect(provider.faults(input)).toEqual([]);
      await ensureNamespace(input.namespace);
      const objects = [...provider.clusterObjects(input), ...templates(provider, input, mainPool(input))];
      for (const object of objects) {
        const first = await apply(object);
        expect(covers(first, object), JSON.stringify([first, object])).toBe(true);
        expect((await apply(object)).metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      }
    },
  );

  it.each(["harvester", "nutanix"] as const)("rejects an unknown field: %s", async (type) => {
    const provider = providers[type];
    const input = anInput(type);
    const [infrastructure] = provider.clusterObjects(input);
    await ensureNamespace(input.namespace);
    for (const object of [infrastructure, ...templates(provider, input, mainPool(input))]) {
      if (object === undefined) return expect.fail("nothing was rendered");
      const { spec } = object as KubeObject & { spec: object };
      await expect(apply({ ...object, spec: { ...spec, unheardOf: true } } as KubeObject)).rejects.toThrow("unheardOf");
    }
  });

  it.each<[keyof typeof providers, string, InputTraits, string]>([
    ["nutanix", "an image that is not a UUID", { block: { imageUUID: "x" } }, "imageUUID"],
    ["nutanix", "no subnet", { block: { subnetUUID: "" } }, "subnetUUID"],
    ["nutanix", "an address that is too long", { block: { endpoint: `https://${"a".repeat(300)}` } }, "endpoint"],
    ["harvester", "a kubeconfig that runs a program", hostileKubeconfig(), "kubeconfig"],
    ["harvester", "an invalid label", { cluster: { workers: { labels: { "a b": "c" } } } }, "label"],
    ["harvester", "a template for an SSH key", { sshAuthorizedKey: "ssh-rsa {{ ds }}" }, "SSH key"],
  ])("never receives an invalid object on %s: %s", (type, _name, traits, word) => {
    expect(providers[type].faults(anInput(type, traits))).toEqual([expect.stringContaining(word)]);
  });
});

describe.skipIf(!hasCompleteCrd(VirtualMachine))("KubeVirt's own CRD", () => {
  it.each(inputs.filter(([type]) => type === "harvester"))(
    "accepts the machine of %s with %s",
    async (_type, _name, traits) => {
      const input = anInput("harvester", traits);
      const spec = harvesterMachines.machineTemplateSpec(input, mainPool(input)) as {
        template: { spec: { virtualMachineTemplate: { spec: object } } };
      };
      const metadata = { name: input.cluster.metadata.name, namespace: "default" };
      const { apiVersion, kind } = { apiVersion: apiVersionOf(VirtualMachine), kind: VirtualMachine.kind };
      const machine = { apiVersion, kind, metadata, spec: spec.template.spec.virtualMachineTemplate.spec };
      const options = { fieldValidation: "Strict", dryRun: true } as const;
      expect((await cluster.client.create(VirtualMachine, machine as KubeObject, options)).metadata.name).toBe(
        metadata.name,
      );
    },
  );
});

function hostileKubeconfig(): InputTraits {
  const user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sh", args: ["-c", "id"] } };
  return { credentials: { kubeconfig: aKubeconfig({}, user) } };
}
