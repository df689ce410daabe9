import { restrictedContainer, restrictedPod } from "@butler/api-external";
import { buildClusterRole, type PolicyRule } from "@butler/controller";
import type { DynamicObject } from "@butler/resource";
import { InvalidInput } from "@butler/std";

/** The inputs of a role's manifests. */
export interface RoleDeployment {
  /** As in `butler <role>`. Names of all objects are prefixed with `butler-`. */
  readonly role: string;
  readonly image: string;
  /** Must exist. All objects comply with the Pod Security Standard `restricted`. */
  readonly namespace: string;
  /** Additional arguments of the role. */
  readonly args?: readonly string[];
  /** The role's permissions in the whole cluster; see `rbacRules`. */
  readonly rules: readonly PolicyRule[];
  /** Additional permissions in single namespaces. */
  readonly namespaceRules?: Readonly<Record<string, readonly PolicyRule[]>>;
  /** Defaults to 1. With more, one is active and the others stand by, unless all of them are active. */
  readonly replicas?: number;
  /** Whether all replicas are active at the same time, and are replaced by a rolling update. */
  readonly everyoneWorks?: boolean;
  /** Ports in addition to the one for health and metrics. */
  readonly ports?: Readonly<Record<string, number>>;
  readonly resources?: RoleResources;
  /** Size limit of the role's temporary files; defaults to 64Mi. */
  readonly scratch?: string;
}

/** Resource requests and limits of a role's container. */
export interface RoleResources {
  readonly requests: Readonly<Record<"cpu" | "memory", string>>;
  /** No CPU limit: a throttled role loses its leadership. */
  readonly limits: Readonly<Record<"memory", string>>;
}

const rbac = "rbac.authorization.k8s.io";
const healthPort = 8081;
/** The unprivileged user of the image. */
const userId = 65_532;
/** An idle role was measured at 108 MiB, most of it used by Node; the rest is for the caches of large clusters. */
const defaultResources: RoleResources = { requests: { cpu: "20m", memory: "128Mi" }, limits: { memory: "512Mi" } };

/**
 * The objects that run a role, in the order in which they are applied: a ServiceAccount with exactly the given
 * permissions, and a Deployment of pods without any permissions on their node.
 */
export function roleManifests(deployment: RoleDeployment): DynamicObject[] {
  const { role, namespace, replicas = 1, everyoneWorks = false } = deployment;
  if (!/^[a-z]([-a-z0-9]{0,40}[a-z0-9])?$/.test(role)) throw new InvalidInput(`"${role}" is not a valid role name`);
  if (!Number.isInteger(replicas) || replicas < 0) throw new InvalidInput(`${replicas} is not a valid replica count`);
  const names = { name: `butler-${role}`, namespace, labels: labelsOf(role) };
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: names, automountServiceAccountToken: false },
    clusterRole(deployment, names),
    binding("Cluster", names),
    ...(replicas > 1 && !everyoneWorks ? [leaseRole(names), binding("", names)] : []),
    ...Object.entries(deployment.namespaceRules ?? {}).flatMap(([place, rules]) => [
      { apiVersion: `${rbac}/v1`, kind: "Role", metadata: { ...names, namespace: place }, rules: [...rules] },
      binding("", { ...names, namespace: place }, namespace),
    ]),
    {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: names,
      spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(role) } },
    },
    { apiVersion: "apps/v1", kind: "Deployment", metadata: names, spec: deploymentSpec(deployment, replicas) },
  ];
}

interface Names {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Record<string, string>;
}

/** The labels that select a role's pods. */
export function selectorOf(role: string): Record<string, string> {
  return { "app.kubernetes.io/name": "butler", "app.kubernetes.io/component": role };
}

function labelsOf(role: string): Record<string, string> {
  return { ...selectorOf(role), "app.kubernetes.io/managed-by": "butler" };
}

function clusterRole({ rules }: RoleDeployment, { name, labels }: Names): DynamicObject {
  const wildcard = rules.find((rule) =>
    [rule.apiGroups, rule.resources, rule.verbs].flat().some((word) => word.includes("*")),
  );
  if (wildcard !== undefined) throw new InvalidInput(`the permissions of ${name} contain a wildcard`);
  const { metadata, ...role } = buildClusterRole(name, []);
  return { ...role, metadata: { ...metadata, labels }, rules: [...rules] };
}

function binding(scope: "Cluster" | "", { name, namespace, labels }: Names, home = namespace): DynamicObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: `${scope}RoleBinding`,
    metadata: { name, labels, ...(scope === "" ? { namespace } : {}) },
    roleRef: { apiGroup: rbac, kind: `${scope}Role`, name },
    subjects: [{ kind: "ServiceAccount", name, namespace: home }],
  };
}

/** Candidates may write the Lease of their own name; RBAC cannot restrict names on create. */
function leaseRole(metadata: Names): DynamicObject {
  const leases = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
  return {
    apiVersion: `${rbac}/v1`,
    kind: "Role",
    metadata,
    rules: [
      { ...leases, verbs: ["create"] },
      { ...leases, verbs: ["get", "update"], resourceNames: [metadata.name] },
    ],
  };
}

function deploymentSpec(deployment: RoleDeployment, replicas: number): object {
  const { role } = deployment;
  return {
    replicas,
    revisionHistoryLimit: 3,
    selector: { matchLabels: selectorOf(role) },
    strategy: strategyOf(deployment, replicas),
    template: { metadata: { labels: labelsOf(role) }, spec: podSpec(deployment, replicas) },
  };
}

function strategyOf({ everyoneWorks = false }: RoleDeployment, replicas: number): object {
  if (everyoneWorks) return { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
  // Without an election two processes must never be active at once, not even during a replacement.
  if (replicas <= 1) return { type: "Recreate" };
  return { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } };
}

function podSpec(deployment: RoleDeployment, replicas: number): object {
  const { role, scratch = "64Mi" } = deployment;
  return {
    serviceAccountName: `butler-${role}`,
    automountServiceAccountToken: true,
    // Environment variables for every Service of the namespace are not needed here.
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    securityContext: { ...restrictedPod(userId), fsGroup: userId },
    containers: [container(deployment, replicas)],
    volumes: [{ name: "tmp", emptyDir: { sizeLimit: scratch } }],
    ...(replicas > 1 ? { topologySpreadConstraints: [spread(role)] } : {}),
  };
}

/** The failure of one node should not affect all replicas. */
function spread(role: string): object {
  return {
    maxSkew: 1,
    topologyKey: "kubernetes.io/hostname",
    whenUnsatisfiable: "ScheduleAnyway",
    labelSelector: { matchLabels: selectorOf(role) },
  };
}

function container(deployment: RoleDeployment, replicas: number): object {
  const { role, image, args = [], resources = defaultResources, ports = {}, everyoneWorks = false } = deployment;
  const election = replicas > 1 && !everyoneWorks ? ["--leader-election"] : [];
  const probe = (path: string): object => ({ httpGet: { path, port: "health" }, timeoutSeconds: 5 });
  return {
    name: "butler",
    image,
    // The tag is derived from the image's contents, so an image under this name is correct.
    imagePullPolicy: "IfNotPresent",
    args: [role, `--health-port=${healthPort}`, ...election, ...args],
    ports: [
      { name: "health", containerPort: healthPort },
      ...Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort })),
    ],
    // Probed frequently, so that the role becomes ready without delay.
    readinessProbe: { ...probe("/readyz"), periodSeconds: 2 },
    livenessProbe: { ...probe("/healthz"), initialDelaySeconds: 10, periodSeconds: 10, failureThreshold: 6 },
    resources,
    securityContext: restrictedContainer(),
    volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
    // When a process exits without a termination message, the end of its log is used.
    terminationMessagePolicy: "FallbackToLogsOnError",
  };
}
