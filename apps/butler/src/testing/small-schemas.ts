/** The part of each provider's schema that Butler's objects use, for when the complete CRDs are not available. */

type Schema = Readonly<Record<string, unknown>>;

const text = { type: "string" };
const number = { type: "integer" };
const flag = { type: "boolean" };
const texts = { type: "object", additionalProperties: text };
const quantity = { "x-kubernetes-int-or-string": true };
const quantities = { type: "object", additionalProperties: quantity };
const empty = { type: "object" };
const listOf = (items: Schema): Schema => ({ type: "array", items });
const oneOf = (...values: string[]): Schema => ({ type: "string", enum: values });
const shape = (properties: Readonly<Record<string, Schema>>, ...required: string[]): Schema => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
});

const metadata = shape({ name: text, namespace: text, labels: texts, annotations: texts });
const reference = shape({ apiVersion: text, kind: text, name: text, namespace: text });
const template = (spec: Schema): Schema => shape({ template: shape({ spec }, "spec") }, "template");

const dataVolume = shape({
  metadata,
  spec: shape({
    source: shape({ blank: empty }),
    pvc: shape({
      accessModes: listOf(text),
      volumeMode: text,
      storageClassName: text,
      resources: shape({ requests: quantities }),
    }),
  }),
});

const affinityTerm = shape({
  weight: number,
  podAffinityTerm: shape({ labelSelector: shape({ matchLabels: texts }), topologyKey: text }, "topologyKey"),
});

const instance = shape(
  {
    affinity: shape({
      podAntiAffinity: shape({ preferredDuringSchedulingIgnoredDuringExecution: listOf(affinityTerm) }),
    }),
    domain: shape(
      {
        machine: shape({ type: text }),
        cpu: shape({ cores: number, sockets: number, threads: number }),
        resources: shape({ requests: quantities, limits: quantities }),
        devices: shape({
          disks: listOf(shape({ name: text, bootOrder: number, disk: shape({ bus: text }) }, "name")),
          interfaces: listOf(shape({ name: text, model: text, bridge: empty }, "name")),
        }),
      },
      "devices",
    ),
    networks: listOf(shape({ name: text, multus: shape({ networkName: text }, "networkName") }, "name")),
    volumes: listOf(shape({ name: text, dataVolume: shape({ name: text }, "name") }, "name")),
  },
  "domain",
);

const virtualMachine = shape({
  metadata,
  spec: shape(
    { runStrategy: text, dataVolumeTemplates: listOf(dataVolume), template: shape({ metadata, spec: instance }) },
    "template",
  ),
});

const identifier = {
  ...shape(
    {
      type: oneOf("uuid", "name"),
      name: { ...text, minLength: 1 },
      uuid: { ...text, format: "uuid", minLength: 36, maxLength: 36 },
    },
    "type",
  ),
  "x-kubernetes-validations": [
    { rule: "self.type == 'name' ? has(self.name) : !has(self.name)" },
    { rule: "self.type == 'uuid' ? has(self.uuid) : !has(self.uuid)" },
  ],
};

const nutanixDisk = shape(
  {
    diskSize: quantity,
    deviceProperties: shape(
      { deviceType: oneOf("Disk", "CDRom"), adapterType: oneOf("SCSI", "IDE", "PCI", "SATA"), deviceIndex: number },
      "adapterType",
      "deviceType",
    ),
    storageConfig: shape({ diskMode: oneOf("Standard", "Flash"), storageContainer: identifier }, "diskMode"),
  },
  "diskSize",
);

const nutanixMachine = shape(
  {
    bootType: oneOf("legacy", "uefi"),
    vcpuSockets: { ...number, minimum: 1 },
    vcpusPerSocket: { ...number, minimum: 1 },
    memorySize: quantity,
    systemDiskSize: quantity,
    image: identifier,
    cluster: identifier,
    subnet: listOf(identifier),
    dataDisks: listOf(nutanixDisk),
  },
  "memorySize",
  "systemDiskSize",
  "vcpuSockets",
  "vcpusPerSocket",
);

const prismCentral = shape(
  {
    address: { ...text, maxLength: 256 },
    port: { ...number, minimum: 1, maximum: 65_535 },
    insecure: flag,
    credentialRef: shape({ kind: oneOf("Secret"), name: text, namespace: text }, "kind", "name"),
    additionalTrustBundle: shape({ kind: oneOf("String", "ConfigMap"), data: text }, "kind"),
  },
  "address",
  "port",
);

const nodeRegistration = shape({
  criSocket: text,
  imagePullPolicy: oneOf("Always", "IfNotPresent", "Never"),
  kubeletExtraArgs: listOf(shape({ name: text, value: text }, "name", "value")),
  taints: listOf(shape({ key: text, value: text, effect: text }, "key", "effect")),
});

const kubeadmConfig = shape({
  format: oneOf("cloud-config", "ignition"),
  joinConfiguration: shape({ nodeRegistration }),
  files: listOf(shape({ path: text, owner: text, permissions: text, content: text }, "path")),
  preKubeadmCommands: listOf(text),
  postKubeadmCommands: listOf(text),
  users: listOf(
    shape(
      { name: text, groups: text, shell: text, lockPassword: flag, sudo: text, sshAuthorizedKeys: listOf(text) },
      "name",
    ),
  ),
});

/** By kind, the schema of its spec. */
export const smallSchemas: Readonly<Record<string, Schema>> = {
  KubevirtCluster: shape({ infraClusterSecretRef: reference }),
  KubevirtMachineTemplate: template(
    shape({
      infraClusterSecretRef: reference,
      virtualMachineBootstrapCheck: shape({ checkStrategy: oneOf("none", "ssh") }),
      virtualMachineTemplate: virtualMachine,
    }),
  ),
  NutanixCluster: shape({ prismCentral }),
  NutanixMachineTemplate: template(nutanixMachine),
  KubeadmConfigTemplate: template(kubeadmConfig),
};
