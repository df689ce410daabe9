import { localScopeFault, namespaces } from "@butler/api";

/** A form field of an infrastructure type. */
export interface ProviderField {
  readonly name: string;
  readonly label: string;
  readonly isNeeded?: boolean;
  readonly hint?: string;
  /** Whether the value is a comma-separated list. */
  readonly isList?: boolean;
}

/** Form definition of an infrastructure type. */
export interface ProviderKind {
  readonly label: string;
  /** Keys of the credentials Secret; empty if none are needed. */
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

/** All infrastructure types with their fields. */
export const providerKinds = {
  harvester: {
    label: "Harvester",
    secretKeys: ["kubeconfig"],
    fields: [
      needed("networkName", "VM network", { hint: "namespace/name, for example default/vlan40" }),
      possible("imageName", "Image", { hint: "namespace/name, for example default/rocky-9.5" }),
      possible("namespace", "Machine namespace"),
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
      needed("nodes", "Hosts", { isList: true, hint: "Comma-separated" }),
      needed("storage", "Storage"),
    ],
  },
  aws: {
    label: "AWS",
    secretKeys: ["accessKeyID", "secretAccessKey"],
    fields: [
      needed("region", "Region", { hint: "For example eu-central-1" }),
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
      possible("vmSize", "VM size"),
      possible("imageURN", "Image"),
    ],
  },
  gcp: {
    label: "Google Cloud",
    secretKeys: ["serviceAccountKey"],
    fields: [
      needed("projectID", "Project"),
      needed("region", "Region", { hint: "For example europe-west3" }),
      possible("zone", "Zone"),
      possible("network", "Network"),
      possible("subnetwork", "Subnetwork"),
      possible("machineType", "Machine type"),
      possible("imageFamily", "Image family"),
      possible("tags", "Network tags", { isList: true }),
    ],
  },
  local: {
    label: "Local (machines run as pods)",
    secretKeys: [],
    fields: [possible("kindNodeImage", "Image", { hint: "With its digest, as listed in the platform settings" })],
  },
} as const satisfies Readonly<Record<string, ProviderKind>>;

export type ProviderType = keyof typeof providerKinds;

/** Form state of a provider. */
export interface ProviderForm {
  readonly type: ProviderType;
  readonly name: string;
  /** The only team that may use it; all teams if empty. */
  readonly team: string;
  /** The pool that addresses come from; assigned by the provider if empty. */
  readonly pool: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Validation errors by field. */
export function providerFaults({ type, name, team, values }: ProviderForm): Readonly<Record<string, string>> {
  const fields: readonly ProviderField[] = providerKinds[type].fields;
  const missing = fields.filter((field) => field.isNeeded === true && (values[field.name] ?? "").trim() === "");
  const isName = name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name);
  const scope = { type: team === "" ? "platform" : "team" };
  const local = localScopeFault({ metadata: { namespace: namespaces.system }, spec: { provider: type, scope } });
  return {
    ...(local !== undefined && { team: local }),
    ...(!isName && { name: "Use lowercase letters, digits, '-' and '.' only." }),
    ...Object.fromEntries(missing.map((field) => [field.name, "Required."])),
  };
}

/** The manifest of the provider. Strings are JSON-quoted, which is safe in YAML. */
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

/** The command that creates the Secret. Credentials are read from files, so that they stay out of the shell history. */
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
