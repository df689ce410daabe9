import { digestOf } from "@butler/controller";
import type { DynamicObject } from "@butler/resource";
import { keptKinds } from "../kinds.ts";
import {
  binding,
  keptObject,
  type ObjectParts,
  role,
  systemNamespace,
  writtenDataAnnotation,
} from "./object-builders.ts";

/** Options of CoreDNS. */
export interface CoreDNSOptions {
  /** Without image name and tag. */
  readonly imageRepository?: string | undefined;
  readonly imageTag?: string | undefined;
  /** The initial number of pods; a number that the tenant sets later is kept. */
  readonly replicas?: number | undefined;
}

export interface CoreDNSInput {
  readonly image: string;
  readonly replicas: number;
  readonly clusterDomain: string;
  readonly serviceIP: string;
  readonly hasNamedProbePorts: boolean;
}

const component = "coredns";
const podLabels = { "k8s-app": "kube-dns" } as const;
const linux = { "kubernetes.io/os": "linux" } as const;
const resolverPorts = [
  { name: "dns", number: 53, protocol: "UDP" },
  { name: "dns-tcp", number: 53, protocol: "TCP" },
  { name: "metrics", number: 9153, protocol: "TCP" },
] as const;

/** The cluster's DNS server. */
export function coreDNSObjects(input: CoreDNSInput): DynamicObject[] {
  const access = { name: "system:coredns" };
  const read = ["list", "watch"];
  return [
    inSystem("ServiceAccount", "coredns", {}),
    role(component, access, [
      { apiGroups: [""], resources: ["endpoints", "services", "pods", "namespaces"], verbs: read },
      { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: read },
    ]),
    binding(component, access, [{ serviceAccount: "coredns" }]),
    corefileObject(input.clusterDomain),
    serviceObject(input.serviceIP),
    deploymentObject(input),
  ];
}

function inSystem(kind: keyof typeof keptKinds, name: string, parts: Omit<ObjectParts, "component">): DynamicObject {
  return keptObject(keptKinds[kind], { namespace: systemNamespace, name }, { component, ...parts });
}

/** Tenants may edit their Corefile, so it carries a digest that detects an edit, which is then kept. */
function corefileObject(clusterDomain: string): DynamicObject {
  const data = { Corefile: corefile(clusterDomain) };
  return inSystem("ConfigMap", "coredns", {
    annotations: { [writtenDataAnnotation]: digestOf(data) },
    body: { data },
  });
}

/** Names of the cluster are not cached: a changed Service must resolve to its current address. */
function corefile(clusterDomain: string): string {
  const lines: readonly (string | readonly [string, readonly string[]])[] = [
    "errors",
    ["health", ["lameduck 5s"]],
    "ready",
    [
      `kubernetes ${clusterDomain} in-addr.arpa ip6.arpa`,
      ["pods insecure", "fallthrough in-addr.arpa ip6.arpa", "ttl 30"],
    ],
    "prometheus :9153",
    ["forward . /etc/resolv.conf", ["max_concurrent 1000"]],
    ["cache 30", [`disable success ${clusterDomain}`, `disable denial ${clusterDomain}`]],
    "loop",
    "reload",
    "loadbalance",
  ];
  const body = lines.flatMap((line) =>
    typeof line === "string" ? [line] : [`${line[0]} {`, ...line[1].map((inner) => `    ${inner}`), "}"],
  );
  return [".:53 {", ...body.map((line) => `    ${line}`), "}", ""].join("\n");
}

function serviceObject(clusterIP: string): DynamicObject {
  const ports = resolverPorts.map(({ name, number, protocol }) => ({
    name,
    port: number,
    protocol,
    targetPort: number,
  }));
  return inSystem("Service", "kube-dns", {
    labels: { ...podLabels, "kubernetes.io/cluster-service": "true", "kubernetes.io/name": "CoreDNS" },
    annotations: { "prometheus.io/port": "9153", "prometheus.io/scrape": "true" },
    body: { spec: { clusterIP, ports, selector: podLabels } },
  });
}

function deploymentObject({ image, replicas, hasNamedProbePorts }: CoreDNSInput): DynamicObject {
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } };
  const spec = {
    priorityClassName: "system-cluster-critical",
    serviceAccountName: "coredns",
    affinity: { podAntiAffinity: apartIfPossible },
    tolerations: [
      { key: "CriticalAddonsOnly", operator: "Exists" },
      { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" },
    ],
    nodeSelector: linux,
    dnsPolicy: "Default",
    containers: [containerOf(image, hasNamedProbePorts)],
    volumes: [
      { name: "config-volume", configMap: { name: "coredns", items: [{ key: "Corefile", path: "Corefile" }] } },
    ],
  };
  const template = { metadata: { labels: podLabels }, spec };
  return inSystem("Deployment", "coredns", {
    labels: podLabels,
    body: { spec: { replicas, strategy, selector: { matchLabels: podLabels }, template } },
  });
}

const apartIfPossible = {
  preferredDuringSchedulingIgnoredDuringExecution: [
    {
      weight: 100,
      podAffinityTerm: {
        labelSelector: { matchExpressions: [{ key: "k8s-app", operator: "In", values: ["kube-dns"] }] },
        topologyKey: "kubernetes.io/hostname",
      },
    },
  ],
} as const;

function containerOf(image: string, hasNamedProbePorts: boolean): object {
  const probes = [
    { name: "liveness-probe", number: 8080, protocol: "TCP" },
    { name: "readiness-probe", number: 8181, protocol: "TCP" },
  ] as const;
  const probe = (path: string, { name, number }: (typeof probes)[number]): object => ({
    httpGet: { path, port: hasNamedProbePorts ? name : number, scheme: "HTTP" },
  });
  const ports = [...resolverPorts, ...(hasNamedProbePorts ? probes : [])];
  return {
    name: "coredns",
    image,
    imagePullPolicy: "IfNotPresent",
    args: ["-conf", "/etc/coredns/Corefile"],
    resources: { limits: { memory: "170Mi" }, requests: { cpu: "100m", memory: "70Mi" } },
    ports: ports.map(({ name, number, protocol }) => ({ containerPort: number, name, protocol })),
    livenessProbe: {
      ...probe("/health", probes[0]),
      initialDelaySeconds: 60,
      timeoutSeconds: 5,
      successThreshold: 1,
      failureThreshold: 5,
    },
    readinessProbe: probe("/ready", probes[1]),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [{ name: "config-volume", mountPath: "/etc/coredns", readOnly: true }],
  };
}
