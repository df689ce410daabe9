import { butlerRepository } from "@butler/engine";

/** One value of the chart. */
export interface ChartValue {
  /** Its path, separated by dots. */
  readonly path: string;
  readonly fallback: unknown;
  /** Description of the value, in one or two sentences. */
  readonly doc: string;
  /** The JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A role of the chart. */
export interface ChartRole {
  /** As in `butler <role>`. */
  readonly role: string;
  /** Default resources of its container. */
  readonly resources: unknown;
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const object = { type: "object" } as const;
const dnsName = { type: "string", pattern: "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$", maxLength: 253 } as const;
const imageRepository = "[a-z0-9][a-z0-9._:-]*(/[a-z0-9][a-z0-9._-]*)*";
const quantity = { type: ["string", "number"], pattern: "^[0-9]+(\\.[0-9]+)?([numkMGTPE]|[KMGTPE]i)?$" } as const;
const quantities = { type: "object", additionalProperties: quantity } as const;
const containerResources = {
  type: "object",
  additionalProperties: false,
  properties: { requests: quantities, limits: quantities },
} as const;

const generalValues: readonly ChartValue[] = [
  {
    path: "image.repository",
    fallback: butlerRepository,
    doc: "Repository of the Butler image, including the registry.",
    schema: { ...text, pattern: `^${imageRepository}$` },
  },
  {
    path: "image.tag",
    fallback: "",
    doc: "Image tag. Defaults to `v` followed by the chart's appVersion.",
    schema: { ...text, pattern: "^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$" },
  },
  {
    path: "image.digest",
    fallback: "",
    doc: "Image digest, such as `sha256:...`. Overrides the tag.",
    schema: { ...text, pattern: "^(sha256:[a-f0-9]{64})?$" },
  },
  {
    path: "image.pullPolicy",
    fallback: "IfNotPresent",
    doc: "Image pull policy.",
    schema: { enum: ["Always", "IfNotPresent", "Never"] },
  },
  {
    path: "imagePullSecrets",
    fallback: [],
    doc: "Image pull Secrets in the release namespace: a list of `name: ...`.",
    schema: {
      type: "array",
      items: { ...object, required: ["name"], additionalProperties: false, properties: { name: dnsName } },
    },
  },
  {
    path: "nodeSelector",
    fallback: {},
    doc: "Node selector of Butler's own pods.",
    schema: { ...object, additionalProperties: text },
  },
  {
    path: "tolerations",
    fallback: [],
    doc: "Tolerations of Butler's own pods.",
    schema: { type: "array", items: object },
  },
  {
    path: "priorityClassName",
    fallback: "",
    doc: "PriorityClass of Butler's own pods. Use `system-cluster-critical` in production.",
    schema: { ...text, pattern: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$" },
  },
  {
    path: "outgoing.allow",
    fallback: [],
    doc: "Networks, addresses, host names and domains such as `.svc` that chart repositories, identity providers and webhooks may have, although loopback, pods and Services are refused. Link-local addresses are always refused.",
    schema: { type: "array", items: { ...text, pattern: "^[.0-9A-Za-z:-]+(/[0-9]{1,3})?$" } },
  },
  {
    path: "outgoing.clusterNetworks",
    fallback: [],
    doc: "Networks of pods and Services that the cluster does not tell by its nodes' podCIDRs and its ServiceCIDRs, for example those of a CNI with its own address management, and of Services before Kubernetes 1.33.",
    schema: { type: "array", items: { ...text, pattern: "^[0-9a-fA-F.:]+(/[0-9]{1,3})?$" } },
  },
  {
    path: "logLevel",
    fallback: "info",
    doc: "Log level of Butler's own processes: debug, info, warn or error.",
    schema: { enum: ["debug", "info", "warn", "error"] },
  },
  {
    path: "namespace.create",
    fallback: true,
    doc: "Whether the release namespace is part of the release, labeled to enforce the Pod Security Standard `restricted`. Kept on uninstall. Requires Helm 4; with Helm 3, create and label the namespace first and set this to false.",
    schema: flag,
  },
  {
    path: "crds.install",
    fallback: true,
    doc: "Whether Butler's CRDs are part of the release. Upgrades update them; uninstalling keeps them and all their objects.",
    schema: flag,
  },
  {
    path: "catalog.enabled",
    fallback: true,
    doc: "Whether Butler's built-in add-ons are added to the catalog and kept up to date. Entries that users created under the same name are not changed. The catalog is kept on uninstall.",
    schema: flag,
  },
];

const managementAddonValues: readonly ChartValue[] = [
  {
    path: "managementAddons.enabled",
    fallback: false,
    doc: "Whether Butler may install add-ons on the management cluster itself. Charts may contain any object, so this grants the controllers cluster-admin. If false, ManagementAddons report NotPermitted.",
    schema: flag,
  },
];

const networkPolicyValues: readonly ChartValue[] = [
  {
    path: "networkPolicies.enabled",
    fallback: true,
    doc: "Whether Butler's own pods accept connections on their own ports only: health and metrics, admission, and the SNI gateway. Requires a pod network that enforces NetworkPolicies.",
    schema: flag,
  },
  {
    path: "networkPolicies.egress",
    fallback: [],
    doc: "Egress rules of Butler's own pods, as in a NetworkPolicy. Empty allows all egress. The rules must allow the API server, the tenants' API servers, their DataStores and DNS.",
    schema: { type: "array", items: object },
  },
];

/** Additional values of single roles. */
const roleValues: Readonly<Record<string, readonly ChartValue[]>> = {
  steward: [
    {
      path: "steward.defaultDataStore.enabled",
      fallback: true,
      doc: "Whether Steward creates the DataStore: an etcd in the release namespace with its own keys. An existing DataStore and changes by users are kept. Kept on uninstall.",
      schema: flag,
    },
    {
      path: "steward.defaultDataStore.name",
      fallback: "default",
      doc: "DataStore of control planes that do not specify one.",
      schema: { type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 40 },
    },
    {
      path: "steward.defaultDataStore.members",
      fallback: 3,
      doc: "Number of etcd members: 3 tolerate the loss of one, 1 is for laptops and tests. Immutable.",
      schema: { enum: [1, 3] },
    },
    {
      path: "steward.defaultDataStore.storage.size",
      fallback: "10Gi",
      doc: "Volume size of each member. Immutable.",
      schema: { ...text, pattern: quantity.pattern },
    },
    {
      path: "steward.defaultDataStore.storage.storageClassName",
      fallback: "",
      doc: "StorageClass of these volumes. Defaults to the cluster's default StorageClass. Immutable.",
      schema: { ...text, pattern: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$" },
    },
    {
      path: "steward.defaultDataStore.resources",
      fallback: {},
      doc: "Resource requests and limits of each member. Defaults to requests of 500m and 512Mi.",
      schema: containerResources,
    },
    {
      path: "steward.defaultDataStore.image",
      fallback: "",
      doc: "etcd image including its tag. Defaults to the image that this version of Steward was tested with.",
      schema: text,
    },
    {
      path: "steward.clusterDomain",
      fallback: "cluster.local",
      doc: "DNS domain of the management cluster.",
      schema: dnsName,
    },
  ],
  "sni-gateway": [
    {
      path: "sniGateway.enabled",
      fallback: true,
      doc: "Whether to run the SNI gateway: one address for all tenant control planes, routed by the server name that clients request.",
      schema: flag,
    },
    {
      path: "sniGateway.service.type",
      fallback: "LoadBalancer",
      doc: "Service type of the gateway.",
      schema: { enum: ["LoadBalancer", "NodePort", "ClusterIP"] },
    },
    {
      path: "sniGateway.service.port",
      fallback: 6443,
      doc: "Port of the gateway. Steward writes it into kubeconfigs.",
      schema: { type: "integer", minimum: 1, maximum: 65_535 },
    },
    {
      path: "sniGateway.service.loadBalancerClass",
      fallback: "",
      doc: "Load balancer class of the gateway's Service. Immutable.",
      schema: text,
    },
    {
      path: "sniGateway.service.annotations",
      fallback: {},
      doc: "Annotations of the gateway's Service, for example to request an address from the load balancer.",
      schema: { ...object, additionalProperties: text },
    },
    {
      path: "sniGateway.extraArgs",
      fallback: [],
      doc: "Additional arguments of `butler sni-gateway`, such as `--max-connections=5000`.",
      schema: { type: "array", items: { ...text, pattern: "^--[a-z]" } },
    },
  ],
  server: [
    {
      path: "server.enabled",
      fallback: true,
      doc: "Whether to run the server for the console, pipelines and CLIs.",
      schema: flag,
    },
    {
      path: "server.publicURL",
      fallback: "",
      doc: "Public URL of the server, such as `https://butler.example.com`. Identity providers redirect users to it, and only pages from this origin may use live channels and terminals. With https, cookies are sent over https only.",
      schema: { ...text, pattern: "^(https?://[^/]+)?$" },
    },
    {
      path: "server.kubernetesAddress",
      fallback: "",
      doc: "URL of the management cluster's API server for users, such as `https://10.0.0.10:6443`; it is written into the kubeconfigs of CLI users. Defaults to the address that pods use, which is rarely reachable from outside.",
      schema: { ...text, pattern: "^(https://.+)?$" },
    },
    {
      path: "server.service.type",
      fallback: "ClusterIP",
      doc: "Service type of the server. Use ClusterIP behind your own Ingress or Gateway.",
      schema: { enum: ["LoadBalancer", "NodePort", "ClusterIP"] },
    },
    {
      path: "server.service.port",
      fallback: 80,
      doc: "Port of the server's Service.",
      schema: { type: "integer", minimum: 1, maximum: 65_535 },
    },
    {
      path: "server.service.nodePort",
      fallback: 0,
      doc: "Node port of the Service, for NodePort and LoadBalancer. 0 lets Kubernetes choose.",
      schema: { type: "integer", minimum: 0, maximum: 65_535 },
    },
    {
      path: "server.service.externalTrafficPolicy",
      fallback: "Local",
      doc: "External traffic policy of the Service, for NodePort and LoadBalancer. With Local the server sees the addresses of its clients, by which failed sign-ins are limited; with Cluster all of them share one.",
      schema: { enum: ["Local", "Cluster"] },
    },
    {
      path: "server.service.annotations",
      fallback: {},
      doc: "Annotations of the server's Service.",
      schema: { ...object, additionalProperties: text },
    },
    {
      path: "server.tls.secretName",
      fallback: "",
      doc: "Secret of type kubernetes.io/tls in the release namespace with the server's certificate. Empty means plain HTTP, for use behind an Ingress.",
      schema: { ...text, pattern: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$" },
    },
    {
      path: "server.trustedProxies",
      fallback: [],
      doc: "Addresses or networks of trusted proxies, such as those of the Ingress controller's pods: their X-Forwarded-For and X-Forwarded-Proto are used. If empty, all clients behind a proxy share one rate limit, and cookies are Secure only if publicURL begins with https.",
      schema: { type: "array", items: { ...text, pattern: "^[0-9a-fA-F.:]+(/[0-9]{1,3})?$" } },
    },
    {
      path: "server.terminal.enabled",
      fallback: true,
      doc: "Whether users may open terminals in their clusters. Each terminal is a pod in the namespace butler-terminals.",
      schema: flag,
    },
    {
      path: "server.terminal.image",
      fallback: "",
      doc: "Image of terminals, with a shell, sleep and kubectl. Defaults to Butler's node image.",
      schema: text,
    },
  ],
  "local-provider": [
    {
      path: "localProvider.enabled",
      fallback: false,
      doc: "Whether to run the local provider, whose machines are pods with the capability SYS_ADMIN: for laptops, tests and trusted tenants. A tenant's administrator can gain access to their node.",
      schema: flag,
    },
    {
      path: "localProvider.nodeImageRepository",
      fallback: "",
      doc: "Repository of the node images for these machines. Defaults to Butler's own.",
      schema: { ...text, pattern: `^(${imageRepository})?$` },
    },
  ],
};

/** Descriptions of the top-level sections of the values. */
export const sectionDocs: Readonly<Record<string, string>> = {
  image: "Image of all of Butler's processes.",
  namespace: "Namespace of Butler's own processes.",
  outgoing: "Addresses that Butler connects to because of objects: chart repositories, identity providers, webhooks.",
  crds: "Butler's CRDs.",
  catalog: "Built-in add-on catalog.",
  steward: "Steward: tenant control planes as pods.",
  sniGateway: "SNI gateway: one address for all tenant control planes.",
  localProvider: "Local provider: tenant machines as pods.",
  server: "Server: REST API, sign-in, live channels and terminals.",
  controller: "Controllers of teams and tenant clusters.",
  managementAddons: "Add-ons of the management cluster itself.",
  networkPolicies: "Network access to and from Butler's own pods.",
};

/** The name of a role in the values. */
export function valueNameOf(role: string): string {
  return role.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
}

/** Whether a role is optional in an installation. */
export function isOptional(role: string): boolean {
  const values = [...managementAddonValues, ...(roleValues[role] ?? [])];
  return values.some(({ path }) => path === `${valueNameOf(role)}.enabled`);
}

/** Every value of the chart, in the order in which they are shown. */
export function chartValues(roles: readonly ChartRole[]): ChartValue[] {
  return [...generalValues, ...roles.flatMap(valuesOfRole), ...managementAddonValues, ...networkPolicyValues];
}

function valuesOfRole({ role, resources }: ChartRole): ChartValue[] {
  const name = valueNameOf(role);
  const own = roleValues[role] ?? [];
  const isSwitch = ({ path }: ChartValue): boolean => path === `${name}.enabled`;
  return [
    ...own.filter(isSwitch),
    {
      path: `${name}.replicas`,
      fallback: 1,
      doc:
        role === "sni-gateway" || role === "server"
          ? "Number of replicas. All of them serve connections."
          : "Number of replicas. With more than one, the replicas elect a leader and the others stand by.",
      schema: { type: "integer", minimum: 0, maximum: 100 },
    },
    {
      path: `${name}.resources`,
      fallback: resources,
      doc: "Resource requests and limits of its container.",
      schema: containerResources,
    },
    ...own.filter((value) => !isSwitch(value)),
  ];
}
