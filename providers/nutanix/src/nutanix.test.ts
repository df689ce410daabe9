import { execFileSync } from "node:child_process";
import { createAuthority } from "@butler/pki";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anInput, type InputTraits, mainPool, uuids } from "@butler/provider/testing";
import { nutanixMachines } from "./index.ts";
import { prismAddress } from "./prism-central.ts";
import { nutanixSettings } from "./settings.ts";

const faultsOf = (traits: InputTraits = {}) => nutanixMachines.faults(anInput("nutanix", traits));
const settingsOf = (traits: InputTraits = {}) => {
  const input = anInput("nutanix", traits);
  return nutanixSettings(input, mainPool(input));
};
const templateOf = (traits: InputTraits = {}) => {
  const input = anInput("nutanix", traits);
  return nutanixMachines.machineTemplateSpec(input, mainPool(input));
};
const override = (nutanix: object): Record<string, unknown> => ({ infrastructureOverride: { nutanix } });
const workers = (machineTemplate: object): Record<string, unknown> => ({ workers: { machineTemplate } });
const byUuid = (uuid: string) => ({ type: "uuid", uuid });

const { cert, key } = await createAuthority("prism");
const login = { username: "butler", password: "nutanix-password" };

describe("the address of Prism Central", () => {
  it.each([
    ["https://prism.example.com", 9440, { address: "prism.example.com", port: 9440 }],
    ["https://prism.example.com/", 9441, { address: "prism.example.com", port: 9441 }],
    ["https://prism.example.com:9441", 9440, { address: "prism.example.com", port: 9441 }],
    ["https://prism.example.com:443", 9440, { address: "prism.example.com", port: 443 }],
    ["https://10.0.0.5:9440/", 9440, { address: "10.0.0.5", port: 9440 }],
    ["https://[2001:db8::5]", 9440, { address: "2001:db8::5", port: 9440 }],
    ["https://[2001:db8::5]:9999", 9440, { address: "2001:db8::5", port: 9999 }],
  ])("of %s with port %d", (endpoint, port, expected) => {
    const traits = { block: { endpoint, port } };
    expect(prismAddress(anInput("nutanix", traits))).toEqual(expected);
    expect(faultsOf(traits)).toEqual([]);
  });

  it.each([
    "http://prism.example.com",
    "https://user:password@prism.example.com",
    "https://prism.example.com/api",
    "https://prism.example.com?x=1",
    "https://prism.example.com:0",
    "prism.example.com",
    "https://",
  ])("is not taken from %s", (endpoint) => {
    // Bypasses the schema, as an older or newer client could.
    const input = anInput("nutanix");
    const { nutanix, ...rest } = input.provider.spec;
    const spec = { ...rest, ...(nutanix === undefined ? {} : { nutanix: { ...nutanix, endpoint } }) };
    expect(nutanixMachines.faults({ ...input, provider: { ...input.provider, spec } })).toEqual([
      expect.stringContaining("spec.nutanix.endpoint"),
    ]);
  });
});

describe("settings on Nutanix", () => {
  it("come from the ProviderConfig", () => {
    expect(settingsOf()).toEqual({
      cluster: byUuid(uuids.cluster),
      subnet: byUuid(uuids.subnet),
      image: byUuid(uuids.image),
      storageContainer: undefined,
    });
  });

  it.each<[string, InputTraits, Partial<ReturnType<typeof settingsOf>>]>([
    [
      "the cluster",
      { cluster: override({ clusterUUID: uuids.other }) },
      { cluster: { type: "uuid", uuid: uuids.other } },
    ],
    ["the subnet", { cluster: override({ subnetUUID: uuids.other }) }, { subnet: { type: "uuid", uuid: uuids.other } }],
    ["the image", { cluster: override({ imageUUID: uuids.other }) }, { image: { type: "uuid", uuid: uuids.other } }],
    [
      "the storage container",
      { cluster: override({ storageContainerUUID: uuids.other }), block: { storageContainerUUID: uuids.container } },
      { storageContainer: { type: "uuid", uuid: uuids.other } },
    ],
    [
      "an image by name",
      { cluster: workers({ os: { imageRef: "rocky-9 (june)" } }) },
      { image: { type: "name", name: "rocky-9 (june)" } },
    ],
    ["a subnet by name", { provider: { network: { subnet: "vlan40" } } }, { subnet: { type: "name", name: "vlan40" } }],
    [
      "the cluster's subnet before that of all machines",
      { provider: { network: { subnet: "vlan40" } }, cluster: override({ subnetUUID: uuids.other }) },
      { subnet: { type: "uuid", uuid: uuids.other } },
    ],
  ])("honour %s", (_name, traits, expected) => {
    expect(settingsOf(traits)).toMatchObject(expected);
    expect(faultsOf(traits)).toEqual([]);
  });
});

describe("faults on Nutanix", () => {
  it.each<[string, InputTraits, string]>([
    ["no image anywhere", { block: { imageUUID: "" } }, "no image is set for pool workers"],
    ["an image that is no UUID", { block: { imageUUID: "rocky" } }, 'imageUUID "rocky" is not a UUID'],
    ["an override that is no UUID", { cluster: override({ imageUUID: "rocky" }) }, "is not a UUID"],
    ["a cluster that is no UUID", { block: { clusterUUID: "" } }, "clusterUUID"],
    ["a subnet that is no UUID", { cluster: override({ subnetUUID: "vlan40" }) }, "subnetUUID"],
    ["a container that is no UUID", { block: { storageContainerUUID: "fast" } }, "storageContainerUUID"],
    ["an image with a line break", { cluster: workers({ os: { imageRef: "a\nb" } }) }, "os.imageRef"],
    ["no password", { credentials: { username: "butler" } }, "is missing password"],
    ["an empty name", { credentials: { ...login, username: "" } }, "is missing username"],
    ["another operating system", { cluster: workers({ os: { type: "flatcar" } }) }, "unsupported"],
    ["too little memory", { cluster: workers({ memory: "1Gi" }) }, "at least 2Gi"],
    ["too small a disk", { cluster: workers({ diskSize: "19Gi" }) }, "at least 20Gi"],
    [
      "too small a disk to be shared",
      { cluster: workers({ diskSize: "39Gi" }), block: { storageContainerUUID: uuids.container } },
      "at least 40Gi",
    ],
    ["certificates that are none", { credentials: { ...login, "ca.pem": "hello" } }, "ca.pem"],
    ["a key among the certificates", { credentials: { ...login, "ca.pem": `${cert}\n${key}` } }, "ca.pem"],
    [
      "a certificate that was cut off",
      { credentials: { ...login, "ca.pem": cert.replace(/\n.*\n-----END/, "\n-----END") } },
      "ca.pem",
    ],
  ])("are found: %s", (_name, traits, sentence) => {
    expect(faultsOf(traits)).toEqual([expect.stringContaining(sentence)]);
  });

  it("never repeat the credentials", () => {
    const credentials = { username: "", password: "secret-password", "ca.pem": "secret-text" };
    expect(faultsOf({ credentials }).join()).not.toMatch(/secret-(password|text)/);
  });

  it("report a ProviderConfig of another kind", () => {
    expect(nutanixMachines.faults(anInput("harvester"))).toEqual([
      "spec.nutanix is not set in ProviderConfig harvester",
    ]);
  });
});

describe("objects on Nutanix", () => {
  interface Objects {
    readonly prismCentral: Record<string, unknown>;
    readonly credentials: string;
  }
  const objectsOf = (traits: InputTraits = {}): Objects => {
    const [cluster, secret] = nutanixMachines.clusterObjects(anInput("nutanix", traits));
    const { spec } = cluster as unknown as { spec: { prismCentral: Record<string, unknown> } };
    const { data } = secret as unknown as { data: { credentials: string } };
    expect(spec).not.toHaveProperty("controlPlaneEndpoint");
    return { prismCentral: spec.prismCentral, credentials: Buffer.from(data.credentials, "base64").toString() };
  };

  it("refer to Prism Central", () => {
    expect(objectsOf().prismCentral).toEqual({
      address: "prism.example.com",
      port: 9440,
      insecure: false,
      credentialRef: { kind: "Secret", name: "shop-nutanix-creds", namespace: "shop-0a1b2c3d" },
    });
    expect(objectsOf({ block: { insecure: true } }).prismCentral).toMatchObject({ insecure: true });
  });

  it("trust the certificates of the credentials", () => {
    const traits = { credentials: { ...login, "ca.pem": `${cert}${cert}\n\n` } };
    expect(faultsOf(traits)).toEqual([]);
    expect(objectsOf(traits).prismCentral["additionalTrustBundle"]).toEqual({
      kind: "String",
      data: `${cert}${cert}`.trim() + "\n",
    });
  });

  it("preserve any name and password", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(text, text, (username, password) => {
        const { credentials } = objectsOf({ credentials: { username, password } });
        expect(JSON.parse(credentials)).toEqual([
          { type: "basic_auth", data: { prismCentral: { username, password } } },
        ]);
      }),
    );
  });

  it("describe the specified machine", () => {
    expect(templateOf({ cluster: workers({ cpu: 8, memory: "32Gi", diskSize: "200Gi" }) })).toEqual({
      template: {
        spec: {
          bootType: "legacy",
          vcpuSockets: 8,
          vcpusPerSocket: 1,
          memorySize: "32Gi",
          systemDiskSize: "200Gi",
          image: byUuid(uuids.image),
          cluster: byUuid(uuids.cluster),
          subnet: [byUuid(uuids.subnet)],
        },
      },
    });
  });

  it("split the disk size when a storage container is set", () => {
    const traits = { cluster: workers({ diskSize: "200Gi" }), block: { storageContainerUUID: uuids.container } };
    expect(templateOf(traits)).toMatchObject({
      template: {
        spec: {
          systemDiskSize: "20Gi",
          dataDisks: [
            {
              diskSize: "180Gi",
              storageConfig: { diskMode: "Standard", storageContainer: byUuid(uuids.container) },
            },
          ],
        },
      },
    });
  });
});

describe("the bootstrap on Nutanix", () => {
  const partsOf = (traits: InputTraits = {}) => {
    const input = anInput("nutanix", traits);
    return nutanixMachines.bootstrapParts(input, mainPool(input));
  };
  const withContainer = { block: { storageContainerUUID: uuids.container } };

  it("sets the provider ID of kubelets, and prepares a data disk if present", () => {
    expect(partsOf().preKubeadmCommands).toEqual(["/usr/local/sbin/butler-provider-id"]);
    expect(partsOf(withContainer).preKubeadmCommands).toEqual([
      "/usr/local/sbin/butler-provider-id",
      "/usr/local/sbin/butler-data-disk",
    ]);
  });

  it("runs only files that exist and are executable", () => {
    const { files = [], preKubeadmCommands = [] } = partsOf(withContainer);
    const programs = files.filter(({ permissions }) => permissions === "0755").map(({ path }) => path);
    expect(programs).toEqual(preKubeadmCommands);
  });

  it("consists of valid bash scripts without cloud-init templates", () => {
    const scripts = (partsOf(withContainer).files ?? []).filter(({ content }) => content?.startsWith("#!/bin/bash"));
    expect(scripts).toHaveLength(2);
    for (const { content = "" } of scripts) {
      execFileSync("bash", ["-n"], { input: content });
      expect(content).not.toMatch(/\{\{|\{%|\{#/);
    }
  });
});
