import { effectiveMachine } from "@butler/api";
import { describe, expect, it } from "vitest";
import { aKubeconfig, anInput, type InputTraits, mainPool } from "@butler/provider/testing";
import { harvesterMachines } from "./index.ts";
import { harvesterSettings } from "./settings.ts";

const faultsOf = (traits: InputTraits = {}) => harvesterMachines.faults(anInput("harvester", traits));
const settingsOf = (traits: InputTraits = {}) => {
  const input = anInput("harvester", traits);
  return harvesterSettings(input, mainPool(input));
};
const override = (harvester: object): Record<string, unknown> => ({ infrastructureOverride: { harvester } });
const workers = (machineTemplate: object): Record<string, unknown> => ({ workers: { machineTemplate } });

interface SecretObject {
  readonly data: Readonly<Record<string, string>>;
}
const secretOf = (traits: InputTraits = {}): Record<string, string> => {
  const [, secret] = harvesterMachines.clusterObjects(anInput("harvester", traits));
  const { data } = secret as unknown as SecretObject;
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]));
};

describe("settings on Harvester", () => {
  it("come from the ProviderConfig", () => {
    expect(settingsOf()).toEqual({
      namespace: "default",
      network: "default/vlan40",
      image: "default/rocky-9",
      storageClass: "longhorn-rocky-9",
    });
  });

  it.each<[string, InputTraits, Partial<ReturnType<typeof settingsOf>>]>([
    ["the storage class", { block: { storageClassName: "fast" } }, { storageClass: "fast" }],
    ["the namespace", { block: { namespace: "vms" } }, { namespace: "vms" }],
    [
      "the network of all machines",
      { provider: { network: { subnet: "default/vlan7" } } },
      { network: "default/vlan7" },
    ],
    [
      "the pool's own image",
      { cluster: workers({ os: { imageRef: "images/rocky-10" } }) },
      { image: "images/rocky-10", storageClass: "longhorn-rocky-10" },
    ],
    ["the cluster's own namespace", { cluster: override({ namespace: "red" }) }, { namespace: "red" }],
    [
      "the cluster's own network",
      { cluster: override({ networkName: "default/vlan9" }), provider: { network: { subnet: "default/vlan7" } } },
      { network: "default/vlan9" },
    ],
    [
      "the cluster's own image before the pool's",
      { cluster: { ...override({ imageName: "images/own" }), ...workers({ os: { imageRef: "images/rocky-10" } }) } },
      { image: "images/own" },
    ],
    ["what is empty passes on", { cluster: override({ namespace: "", networkName: "", imageName: "" }) }, settingsOf()],
  ])("honour %s", (_name, traits, expected) => {
    expect(settingsOf(traits)).toMatchObject(expected);
    expect(faultsOf(traits)).toEqual([]);
  });
});

describe("faults on Harvester", () => {
  it.each<[string, InputTraits, string]>([
    ["no image anywhere", { block: { imageName: "" } }, "no image is set for pool workers"],
    [
      "an image without a namespace",
      { block: { imageName: "rocky" } },
      "is not the namespace/name of a Harvester image",
    ],
    ["an image that leads elsewhere", { cluster: workers({ os: { imageRef: "../x" } }) }, "is not the namespace/name"],
    ["a network that is none", { cluster: override({ networkName: "vlan 9" }) }, "VM network"],
    [
      "a namespace that is none",
      { cluster: override({ namespace: "kube/system" }) },
      "is not a valid Harvester namespace name",
    ],
    ["a storage class that is none", { block: { storageClassName: "Fast Disks" } }, "storageClassName"],
    ["another operating system", { cluster: workers({ os: { type: "talos" } }) }, "unsupported"],
    ["a disk smaller than the image", { cluster: workers({ diskSize: "5Gi" }) }, "diskSize of pool workers is 5Gi"],
    ["a label of Kubernetes' own", { cluster: { workers: { labels: { "kubernetes.io/os": "x" } } } }, "reserved"],
    ["no credentials", { credentials: {} }, "is missing kubeconfig"],
    ["an endpoint without TLS", { block: { endpoint: "http://harvester.example.com" } }, "spec.harvester.endpoint"],
    [
      "an endpoint with a password",
      { block: { endpoint: "https://a:b@harvester.example.com" } },
      "spec.harvester.endpoint",
    ],
    ["no kubeconfig but a text", { credentials: { kubeconfig: "hello" } }, "invalid kubeconfig"],
  ])("are found: %s", (_name, traits, sentence) => {
    expect(faultsOf(traits)).toEqual([expect.stringContaining(sentence)]);
  });

  it.each<[string, string]>([
    ["runs a program", aKubeconfig({}, { exec: { command: "sh", apiVersion: "client.authentication.k8s.io/v1" } })],
    [
      "reads a file for its token",
      aKubeconfig({}, { tokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token" }),
    ],
    ["reads a file for its key", aKubeconfig({}, { "client-certificate": "/a.crt", "client-key": "/a.key" })],
    ["goes through a proxy", aKubeconfig({ "proxy-url": "http://192.0.2.1" })],
    ["skips TLS verification", aKubeconfig({ "insecure-skip-tls-verify": true })],
    ["has no TLS", aKubeconfig({ server: "http://harvester.example.com" })],
  ])("are found in a kubeconfig that %s", (_name, kubeconfig) => {
    expect(faultsOf({ credentials: { kubeconfig } })).toEqual([expect.stringContaining("invalid kubeconfig")]);
  });

  it("of a further pool are found, each once", () => {
    const workerPools = ["a", "b"].map((name) => ({ name, replicas: 1, machineTemplate: { os: { type: "kairos" } } }));
    expect(faultsOf({ cluster: { workerPools } })).toEqual([expect.stringContaining("kairos")]);
  });

  it("report a ProviderConfig of another kind", () => {
    const input = anInput("nutanix");
    expect(harvesterMachines.faults(input)).toEqual(["spec.harvester is not set in ProviderConfig nutanix"]);
  });
});

describe("the credentials of a cluster on Harvester", () => {
  it("are rebuilt from known fields, and set the namespace of machines", () => {
    const { kubeconfig = "", namespace } = secretOf({ cluster: override({ namespace: "red" }) });
    expect(namespace).toBe("red");
    expect(JSON.parse(kubeconfig)).toEqual({
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: "harvester",
          cluster: {
            server: "https://harvester.example.com/k8s/clusters/local",
            "certificate-authority-data": btoa("authority"),
          },
        },
      ],
      users: [{ name: "harvester", user: { token: "harvester-token" } }],
      contexts: [{ name: "harvester", context: { cluster: "harvester", user: "harvester" } }],
      "current-context": "harvester",
    });
  });

  it("keep a client certificate and the TLS server name", () => {
    const user = { "client-certificate-data": btoa("certificate"), "client-key-data": btoa("key") };
    const kubeconfig = aKubeconfig({ "tls-server-name": "harvester" }, user);
    const text = secretOf({ credentials: { kubeconfig } })["kubeconfig"] ?? "";
    const parts = JSON.parse(text) as { users: [{ user: object }]; clusters: [{ cluster: object }] };
    expect(parts.users[0].user).toEqual(user);
    expect(parts.clusters[0].cluster).toMatchObject({ "tls-server-name": "harvester" });
  });

  it("use the endpoint of the ProviderConfig when set", () => {
    const { kubeconfig } = secretOf({ block: { endpoint: "https://10.0.0.5:6443" } });
    expect(kubeconfig).toContain('"server":"https://10.0.0.5:6443"');
  });
});

describe("objects on Harvester", () => {
  it("leave the endpoint to Steward", () => {
    const [cluster] = harvesterMachines.clusterObjects(anInput("harvester"));
    expect(cluster).toEqual({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha1",
      kind: "KubevirtCluster",
      metadata: {
        name: "shop",
        namespace: "shop-0a1b2c3d",
        labels: anInput("harvester").labels,
        annotations: {
          "butler.butlerlabs.dev/owner": "ada@example.com",
          "cluster.x-k8s.io/managed-by": "steward",
        },
      },
      spec: {
        infraClusterSecretRef: {
          apiVersion: "v1",
          kind: "Secret",
          namespace: "shop-0a1b2c3d",
          name: "shop-harvester",
        },
      },
    });
  });

  it("describe the specified machine", () => {
    const input = anInput("harvester", {
      cluster: workers({ cpu: 8, memory: "32Gi", diskSize: "200Gi" }),
      block: { storageClassName: "fast" },
    });
    const spec = harvesterMachines.machineTemplateSpec(input, mainPool(input));
    expect(spec).toMatchObject({
      template: {
        spec: {
          virtualMachineTemplate: {
            metadata: { namespace: "default" },
            spec: {
              dataVolumeTemplates: [
                {
                  metadata: { annotations: { "harvesterhci.io/imageId": "default/rocky-9" } },
                  spec: { pvc: { storageClassName: "fast", resources: { requests: { storage: "200Gi" } } } },
                },
              ],
              template: {
                spec: {
                  domain: {
                    cpu: { cores: 8 },
                    resources: { requests: { memory: "32Gi" }, limits: { cpu: "8", memory: "32Gi" } },
                  },
                  networks: [{ multus: { networkName: "default/vlan40" } }],
                },
              },
            },
          },
        },
      },
    });
  });

  it("do not depend on labels that may change during a cluster's life", () => {
    const input = anInput("harvester");
    const moved = { ...input, labels: { ...input.labels, "butler.butlerlabs.dev/environment": "prod" } };
    const pool = mainPool(input);
    expect(harvesterMachines.machineTemplateSpec(moved, pool)).toEqual(
      harvesterMachines.machineTemplateSpec(input, pool),
    );
  });

  it("are the same for any notation of a size", () => {
    const input = anInput("harvester");
    const sized = (memory: string | number) => {
      const machine = effectiveMachine({ ...mainPool(input).machine, memory });
      return harvesterMachines.machineTemplateSpec(input, { ...mainPool(input), machine });
    };
    expect(sized(17_179_869_184)).toEqual(sized("16Gi"));
    expect(sized("16384Mi")).toEqual(sized("16Gi"));
    expect(sized("16.5Gi")).not.toEqual(sized("16Gi"));
  });

  it("report the machine's address to Harvester", () => {
    const input = anInput("harvester");
    expect(harvesterMachines.bootstrapParts(input, mainPool(input)).preKubeadmCommands?.join()).toContain(
      "qemu-guest-agent",
    );
  });
});
