import { butlerRepository } from "@butler/engine";

/** One value of the chart. */
export interface ChartValue {
  /** Its names from the outside in, with dots between them. */
  readonly path: string;
  readonly fallback: unknown;
  /** One or two sentences for whoever sets it. */
  readonly doc: string;
  /** What may be set, as JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A role as the chart knows it. */
export interface ChartRole {
  /** As in `butler <role>`. */
  readonly role: string;
  /** What its container is promised when nobody says otherwise. */
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
    doc: "Where Butler's own image is, with the registry in front.",
    schema: { ...text, pattern: `^${imageRepository}$` },
  },
  {
    path: "image.tag",
    fallback: "",
    doc: "The image's tag. Empty means `v` and the chart's appVersion.",
    schema: { ...text, pattern: "^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$" },
  },
  {
    path: "image.digest",
    fallback: "",
    doc: "The image's digest, as in `sha256:...`. Takes the place of the tag.",
    schema: { ...text, pattern: "^(sha256:[a-f0-9]{64})?$" },
  },
  {
    path: "image.pullPolicy",
    fallback: "IfNotPresent",
    doc: "When nodes ask the registry for the image.",
    schema: { enum: ["Always", "IfNotPresent", "Never"] },
  },
  {
    path: "imagePullSecrets",
    fallback: [],
    doc: "Secrets of the release's namespace with which nodes get the image: a list of `name: ...`.",
    schema: {
      type: "array",
      items: { ...object, required: ["name"], additionalProperties: false, properties: { name: dnsName } },
    },
  },
  {
    path: "nodeSelector",
    fallback: {},
    doc: "Labels of the nodes that Butler's own pods may run on.",
    schema: { ...object, additionalProperties: text },
  },
  {
    path: "tolerations",
    fallback: [],
    doc: "Taints of nodes that Butler's own pods put up with.",
    schema: { type: "array", items: object },
  },
  {
    path: "priorityClassName",
    fallback: "",
    doc: "The PriorityClass of Butler's own pods. `system-cluster-critical` is a good one in production.",
    schema: { ...text, pattern: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$" },
  },
  {
    path: "logLevel",
    fallback: "info",
    doc: "The least that Butler's own processes write into their logs: debug, info, warn or error.",
    schema: { enum: ["debug", "info", "warn", "error"] },
  },
  {
    path: "namespace.create",
    fallback: true,
    doc: "Whether the release's namespace is part of the release, with the label that holds its pods to the Pod Security Standard `restricted`. Uninstalling keeps it. Needs Helm 4; with Helm 3 make and label the namespace first and set this to false.",
    schema: flag,
  },
  {
    path: "crds.install",
    fallback: true,
    doc: "Whether Butler's kinds are part of the release. Upgrading brings them up to date, uninstalling keeps them and every object of them.",
    schema: flag,
  },
  {
    path: "catalog.enabled",
    fallback: true,
    doc: "Whether the add-ons that come with Butler are put into the catalogue and kept up to date. An entry that people made under the same name stays theirs. Uninstalling keeps the catalogue.",
    schema: flag,
  },
];

const managementAddonValues: readonly ChartValue[] = [
  {
    path: "managementAddons.enabled",
    fallback: false,
    doc: "Whether Butler may install add-ons on the management cluster itself. Their charts may hold anything, so that its controllers then have every right there (cluster-admin); without it ManagementAddons say NotPermitted.",
    schema: flag,
  },
];

const networkPolicyValues: readonly ChartValue[] = [
  {
    path: "networkPolicies.enabled",
    fallback: true,
    doc: "Whether Butler's own pods take connections at their own ports only: health and metrics, admission, and the SNI gateway's. Has an effect where the pod network enforces NetworkPolicies.",
    schema: flag,
  },
  {
    path: "networkPolicies.egress",
    fallback: [],
    doc: "Rules for where Butler's own pods may connect to, as in a NetworkPolicy. Empty means anywhere. The API server, tenants' API servers, their DataStores and DNS have to be among them.",
    schema: { type: "array", items: object },
  },
];

/** What a role has beyond what every role has. */
const roleValues: Readonly<Record<string, readonly ChartValue[]>> = {
  steward: [
    {
      path: "steward.defaultDataStore.enabled",
      fallback: true,
      doc: "Whether Steward brings the DataStore along: an etcd in the release's namespace with keys of its own. What is there already is kept; what people have changed stays as they want it. Uninstalling keeps it.",
      schema: flag,
    },
    {
      path: "steward.defaultDataStore.name",
      fallback: "default",
      doc: "The DataStore of control planes that name none.",
      schema: { type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 40 },
    },
    {
      path: "steward.defaultDataStore.members",
      fallback: 3,
      doc: "How many members the etcd has: 3 go on when one of them is lost, 1 is for laptops and tests. Cannot be changed later.",
      schema: { enum: [1, 3] },
    },
    {
      path: "steward.defaultDataStore.storage.size",
      fallback: "10Gi",
      doc: "The volume of each member. Cannot be changed later.",
      schema: { ...text, pattern: quantity.pattern },
    },
    {
      path: "steward.defaultDataStore.storage.storageClassName",
      fallback: "",
      doc: "The StorageClass of these volumes. Empty means the cluster's default one. Cannot be changed later.",
      schema: { ...text, pattern: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$" },
    },
    {
      path: "steward.defaultDataStore.resources",
      fallback: {},
      doc: "What each member is promised, and may use at most. Empty means requests of 500m and 512Mi.",
      schema: containerResources,
    },
    {
      path: "steward.defaultDataStore.image",
      fallback: "",
      doc: "The image of etcd, with its tag. Empty means the one that this version of Steward was tried with.",
      schema: text,
    },
    {
      path: "steward.clusterDomain",
      fallback: "cluster.local",
      doc: "The DNS domain of the management cluster.",
      schema: dnsName,
    },
  ],
  "sni-gateway": [
    {
      path: "sniGateway.enabled",
      fallback: true,
      doc: "Whether there is one address for the control planes of all tenants, which finds them by the name that clients ask for.",
      schema: flag,
    },
    {
      path: "sniGateway.service.type",
      fallback: "LoadBalancer",
      doc: "How the gateway is reached from outside.",
      schema: { enum: ["LoadBalancer", "NodePort", "ClusterIP"] },
    },
    {
      path: "sniGateway.service.port",
      fallback: 6443,
      doc: "The port at the gateway's address. Steward tells it to clients.",
      schema: { type: "integer", minimum: 1, maximum: 65_535 },
    },
    {
      path: "sniGateway.service.loadBalancerClass",
      fallback: "",
      doc: "Which of several load balancers gives the address; cannot be changed later.",
      schema: text,
    },
    {
      path: "sniGateway.service.annotations",
      fallback: {},
      doc: "Annotations of the gateway's Service, by which load balancers are often told an address.",
      schema: { ...object, additionalProperties: text },
    },
    {
      path: "sniGateway.extraArgs",
      fallback: [],
      doc: "Further arguments of `butler sni-gateway`, such as `--max-connections=5000`.",
      schema: { type: "array", items: { ...text, pattern: "^--[a-z]" } },
    },
  ],
  server: [
    {
      path: "server.enabled",
      fallback: true,
      doc: "Whether there is a server for consoles, pipelines and command lines.",
      schema: flag,
    },
    {
      path: "server.publicURL",
      fallback: "",
      doc: "The address at which browsers reach the server, such as `https://butler.example.com`. Identity providers send people back there, and only pages from there may use live channels and terminals. With https, cookies go over https only.",
      schema: { ...text, pattern: "^(https?://[^/]+)?$" },
    },
    {
      path: "server.kubernetesAddress",
      fallback: "",
      doc: "The address of the management cluster's API for people, such as `https://10.0.0.10:6443`; it goes into the kubeconfigs of command lines. Empty means the one that pods use, which is rarely reachable from outside.",
      schema: { ...text, pattern: "^(https://.+)?$" },
    },
    {
      path: "server.service.type",
      fallback: "ClusterIP",
      doc: "How the server is reached. An Ingress or a Gateway of yours leads to a ClusterIP.",
      schema: { enum: ["LoadBalancer", "NodePort", "ClusterIP"] },
    },
    {
      path: "server.service.port",
      fallback: 80,
      doc: "The port of the server's Service.",
      schema: { type: "integer", minimum: 1, maximum: 65_535 },
    },
    {
      path: "server.service.nodePort",
      fallback: 0,
      doc: "The port on every node, for NodePort and LoadBalancer. 0 lets Kubernetes choose.",
      schema: { type: "integer", minimum: 0, maximum: 65_535 },
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
      doc: "A Secret of type kubernetes.io/tls in the release's namespace with which the server itself speaks TLS. Empty means plain HTTP, for an Ingress in front.",
      schema: { ...text, pattern: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$" },
    },
    {
      path: "server.trustedProxies",
      fallback: [],
      doc: "Addresses or networks of proxies in front, whose word about where a request comes from is taken. Without them everybody behind a proxy shares one allowance of requests.",
      schema: { type: "array", items: { ...text, pattern: "^[0-9a-fA-F.:]+(/[0-9]{1,3})?$" } },
    },
    {
      path: "server.terminal.enabled",
      fallback: true,
      doc: "Whether people may open terminals in their clusters. Each is a pod in the namespace butler-terminals.",
      schema: flag,
    },
    {
      path: "server.terminal.image",
      fallback: "",
      doc: "What terminals run in: an image with a shell, sleep and kubectl. Empty means Butler's own image of a node.",
      schema: text,
    },
  ],
  "local-provider": [
    {
      path: "localProvider.enabled",
      fallback: false,
      doc: "Whether machines may be pods: for laptops, tests and trusted tenants. Such pods have every right on their node.",
      schema: flag,
    },
    {
      path: "localProvider.nodeImageRepository",
      fallback: "",
      doc: "Where the images of such machines are. Empty means Butler's own.",
      schema: { ...text, pattern: `^(${imageRepository})?$` },
    },
  ],
};

/** What values with a common first name are about. */
export const sectionDocs: Readonly<Record<string, string>> = {
  image: "Butler's own image, which all of its processes run from.",
  namespace: "The namespace of Butler's own processes.",
  crds: "Butler's kinds.",
  catalog: "The built-in add-on catalogue.",
  steward: "Steward: control planes of tenants as pods.",
  sniGateway: "The SNI gateway: one address for the control planes of all tenants.",
  localProvider: "The local provider: machines of tenants as pods.",
  server: "The server: REST API, sign-in, live channels and terminals.",
  controller: "The controllers of teams and tenant clusters.",
  managementAddons: "Add-ons of the management cluster itself.",
  networkPolicies: "Who may connect to Butler's own pods.",
};

/** The name of a role among the values. */
export function valueNameOf(role: string): string {
  return role.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
}

/** Whether a role can be left out of an installation. */
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
          ? "How many of its pods there are; all of them take connections."
          : "How many of its pods there are. With more than one, one works and the others wait for their turn.",
      schema: { type: "integer", minimum: 0, maximum: 100 },
    },
    {
      path: `${name}.resources`,
      fallback: resources,
      doc: "What its container is promised, and may use at most.",
      schema: containerResources,
    },
    ...own.filter((value) => !isSwitch(value)),
  ];
}
