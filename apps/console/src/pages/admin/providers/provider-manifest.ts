/** A field of a kind of infrastructure. */
export interface ProviderField {
  readonly name: string;
  readonly label: string;
  readonly isNeeded?: boolean;
  readonly hint?: string;
  /** Several values, with commas between them. */
  readonly isList?: boolean;
}

/** What a kind of infrastructure wants to know. */
export interface ProviderKind {
  readonly label: string;
  /** Keys of the Secret with the credentials; none for what needs no credentials. */
  readonly secretKeys: readonly string[];
  readonly fields: readonly ProviderField[];
}

const needed = (name: string, label: string, more: Partial<ProviderField> = {}): ProviderField => ({
  name,
  label,
  isNeeded: true,
  ...more,
});
const possible = (name: string, label: string, more: Partial<ProviderField> = {}): ProviderField => ({
  name,
  label,
  ...more,
});

/** Every kind of infrastructure, with the fields of its block. */
export const providerKinds = {
  harvester: {
    label: "Harvester",
    secretKeys: ["kubeconfig"],
    fields: [
      needed("networkName", "VM network", { hint: "namespace/name, such as default/vlan40" }),
      possible("imageName", "Image", { hint: "namespace/name, such as default/rocky-9.5" }),
      possible("namespace", "Namespace of the machines"),
      possible("storageClassName", "Storage class"),
    ],
  },
  nutanix: {
    label: "Nutanix",
    secretKeys: ["username", "password"],
    fields: [
      needed("endpoint", "Prism Central", { hint: "https://prism.example.com" }),
      needed("clusterUUID", "Cluster (UUID)"),
      needed("subnetUUID", "Subnet (UUID)"),
      possible("imageUUID", "Image (UUID)"),
      possible("storageContainerUUID", "Storage container (UUID)"),
    ],
  },
  proxmox: {
    label: "Proxmox VE",
    secretKeys: ["username", "password"],
    fields: [
      needed("endpoint", "API", { hint: "https://proxmox.example.com:8006" }),
      needed("nodes", "Hosts", { isList: true, hint: "With commas between them" }),
      needed("storage", "Storage"),
    ],
  },
  aws: {
    label: "AWS",
    secretKeys: ["accessKeyID", "secretAccessKey"],
    fields: [
      needed("region", "Region", { hint: "Such as eu-central-1" }),
      possible("vpcID", "VPC"),
      possible("subnetIDs", "Subnets", { isList: true }),
      possible("securityGroupIDs", "Security groups", { isList: true }),
    ],
  },
  azure: {
    label: "Microsoft Azure",
    secretKeys: ["clientID", "clientSecret", "tenantID"],
    fields: [
      needed("subscriptionID", "Subscription"),
      needed("resourceGroup", "Resource group"),
      possible("location", "Region"),
      possible("vnetName", "Virtual network"),
      possible("subnetName", "Subnet"),
      possible("vmSize", "Size of the machines"),
      possible("imageURN", "Image"),
    ],
  },
  gcp: {
    label: "Google Cloud",
    secretKeys: ["serviceAccountKey"],
    fields: [
      needed("projectID", "Project"),
      needed("region", "Region", { hint: "Such as europe-west3" }),
      possible("zone", "Zone"),
      possible("network", "Network"),
      possible("subnetwork", "Subnetwork"),
      possible("machineType", "Type of the machines"),
      possible("imageFamily", "Image family"),
      possible("tags", "Network tags", { isList: true }),
    ],
  },
  local: { label: "Local (machines as pods)", secretKeys: [], fields: [possible("kindNodeImage", "Image")] },
} as const satisfies Readonly<Record<string, ProviderKind>>;

export type ProviderType = keyof typeof providerKinds;

/** A provider as somebody writes it down. */
export interface ProviderForm {
  readonly type: ProviderType;
  readonly name: string;
  /** The team that alone may use it; every team when empty. */
  readonly team: string;
  /** The pool that addresses come from; left to the provider when empty. */
  readonly pool: string;
  readonly values: Readonly<Record<string, string>>;
}

/** What is wrong with it, by the field. */
export function providerFaults({ type, name, values }: ProviderForm): Readonly<Record<string, string>> {
  const fields: readonly ProviderField[] = providerKinds[type].fields;
  const missing = fields.filter((field) => field.isNeeded === true && (values[field.name] ?? "").trim() === "");
  const isName = name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name);
  return {
    ...(!isName && { name: "Lower-case letters, digits, - and . only." }),
    ...Object.fromEntries(missing.map((field) => [field.name, "This is needed."])),
  };
}

/** The manifest of the provider. Texts are written in JSON's quotes, which YAML reads whatever is in them. */
export function providerManifest({ type, name, team, pool, values }: ProviderForm): string {
  const { fields, secretKeys }: ProviderKind = providerKinds[type];
  const block = fields.flatMap((field) => {
    const value = (values[field.name] ?? "").trim();
    return value === "" ? [] : [`    ${field.name}: ${field.isList === true ? listText(value) : quoted(value)}`];
  });
  return [
    "apiVersion: butler.butlerlabs.dev/v1alpha1",
    "kind: ProviderConfig",
    "metadata:",
    `  name: ${quoted(name)}`,
    "  namespace: butler-system",
    "spec:",
    `  provider: ${type}`,
    ...(secretKeys.length > 0 ? ["  credentialsRef:", `    name: ${quoted(secretName(name))}`] : []),
    ...(block.length > 0 ? [`  ${type}:`, ...block] : []),
    ...(team === "" ? [] : ["  scope:", "    type: team", "    teamRef:", `      name: ${quoted(team)}`]),
    ...(pool === "" ? [] : ["  network:", "    mode: ipam", "    poolRefs:", `      - name: ${quoted(pool)}`]),
    "",
  ].join("\n");
}

/** The command that makes the Secret; each credential is read from a file, so that no shell remembers it. */
export function secretCommand({ type, name }: Pick<ProviderForm, "type" | "name">): string | undefined {
  const { secretKeys }: ProviderKind = providerKinds[type];
  if (secretKeys.length === 0) return undefined;
  const files = secretKeys.map((key) => `--from-file=${key}=./${key}`);
  return ["kubectl -n butler-system create secret generic", secretName(name), ...files].join(" ");
}

const secretName = (name: string): string => `${name}-credentials`;
const quoted = (text: string): string => JSON.stringify(text);

function listText(value: string): string {
  const parts = value.split(",").map((part) => part.trim());
  return JSON.stringify(parts.filter((part) => part !== ""));
}
