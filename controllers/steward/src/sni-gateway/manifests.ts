import { TenantControlPlane } from "@butler/api";
import { restrictedContainer, restrictedPod } from "@butler/api-external";
import type { KubeObject, ObjectMeta } from "@butler/resource";

/** Settings of the gateway installation. */
export interface SniGatewayInstallation {
  readonly namespace: string;
  /** Butler's image, with its tag. */
  readonly image: string;
  readonly replicas?: number;
  /** The port of the shared address. */
  readonly port?: number;
  readonly serviceType?: "LoadBalancer" | "NodePort" | "ClusterIP";
  readonly loadBalancerClass?: string;
  /** Additional labels and annotations of the Service, often used to configure the load balancer. */
  readonly serviceMetadata?: Pick<ObjectMeta, "labels" | "annotations">;
  /** Further arguments of the process. */
  readonly arguments?: readonly string[];
}

/** The name of every object of the gateway. */
export const sniGatewayName = "butler-sni-gateway";

/** The ports of the pod: above 1024, because it runs unprivileged. */
const ports = { tls: 6443, health: 8081 } as const;

const selector = { "app.kubernetes.io/name": sniGatewayName };
const labels = {
  ...selector,
  "app.kubernetes.io/part-of": "butler",
  "app.kubernetes.io/managed-by": "butler",
};

/** Seconds for load balancers to notice a terminating pod before it stops accepting connections. */
const noticeSeconds = 5;

/** All objects of the gateway: a Deployment, a Service with the shared address, and their dependencies. */
export function sniGatewayManifests(installation: SniGatewayInstallation): KubeObject[] {
  return [
    ...access(installation),
    deployment(installation),
    service(installation),
    disruptionBudget(installation),
  ] as KubeObject[];
}

function access({ namespace }: SniGatewayInstallation): object[] {
  const subject = { kind: "ServiceAccount", name: sniGatewayName, namespace };
  const rbac = "rbac.authorization.k8s.io";
  const reading = ["list", "watch"];
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: sniGatewayName, namespace, labels } },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: { name: sniGatewayName, labels },
      // Names and addresses only: an attacker in the gateway finds no keys, neither in the API nor in the pod.
      rules: [
        { apiGroups: [TenantControlPlane.group], resources: [TenantControlPlane.plural], verbs: reading },
        { apiGroups: [""], resources: ["services"], verbs: reading },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: sniGatewayName, labels },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: sniGatewayName },
      subjects: [subject],
    },
  ];
}

function deployment(installation: SniGatewayInstallation): object {
  const { namespace, replicas = 2 } = installation;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: sniGatewayName, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: selector },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: sniGatewayName,
          automountServiceAccountToken: true,
          enableServiceLinks: false,
          // The notice period, the drain timeout, and a margin.
          terminationGracePeriodSeconds: 45,
          securityContext: restrictedPod(65_532),
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "kubernetes.io/hostname",
              whenUnsatisfiable: "ScheduleAnyway",
              labelSelector: { matchLabels: selector },
            },
          ],
          containers: [container(installation)],
        },
      },
    },
  };
}

function container({ image, arguments: further = [] }: SniGatewayInstallation): object {
  const probe = (path: string, failureThreshold: number) => ({
    httpGet: { path, port: "health" },
    periodSeconds: 5,
    timeoutSeconds: 3,
    failureThreshold,
  });
  return {
    name: "sni-gateway",
    image,
    imagePullPolicy: "IfNotPresent",
    args: ["sni-gateway", `--port=${ports.tls}`, `--health-port=${ports.health}`, ...further],
    ports: [
      { name: "tls", containerPort: ports.tls, protocol: "TCP" },
      { name: "health", containerPort: ports.health, protocol: "TCP" },
    ],
    readinessProbe: probe("/readyz", 2),
    livenessProbe: probe("/healthz", 6),
    lifecycle: { preStop: { sleep: { seconds: noticeSeconds } } },
    resources: { requests: { cpu: "50m", memory: "96Mi" }, limits: { memory: "512Mi" } },
    securityContext: restrictedContainer(),
    terminationMessagePolicy: "FallbackToLogsOnError",
  };
}

function service(installation: SniGatewayInstallation): object {
  const {
    namespace,
    port = ports.tls,
    serviceType = "LoadBalancer",
    loadBalancerClass,
    serviceMetadata,
  } = installation;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: sniGatewayName,
      namespace,
      labels: { ...serviceMetadata?.labels, ...labels },
      ...(serviceMetadata?.annotations === undefined ? {} : { annotations: serviceMetadata.annotations }),
    },
    spec: {
      type: serviceType,
      selector,
      ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
      ports: [{ name: "tls", port, targetPort: "tls", protocol: "TCP" }],
    },
  };
}

function disruptionBudget({ namespace }: SniGatewayInstallation): object {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: sniGatewayName, namespace, labels },
    spec: { maxUnavailable: 1, selector: { matchLabels: selector } },
  };
}
