import { restrictedContainer, restrictedPod } from "@butler/api-external";
import { buildClusterRole, type PolicyRule } from "@butler/controller";
import type { DynamicObject } from "@butler/resource";
import { InvalidInput } from "@butler/std";

/** What runs a role in a cluster. */
export interface RoleDeployment {
  /** As in `butler <role>`. Names everything that is made, with `butler-` in front. */
  readonly role: string;
  readonly image: string;
  /** Has to exist. Nothing here asks for more than the Pod Security Standard `restricted` allows. */
  readonly namespace: string;
  /** The role's own arguments. */
  readonly args?: readonly string[];
  /** What the role may do in the whole cluster; see `rbacRules`. */
  readonly rules: readonly PolicyRule[];
  /** What it may do in single namespaces beside that. */
  readonly namespaceRules?: Readonly<Record<string, readonly PolicyRule[]>>;
  /** 1 when left out. With more, one of them works and the others wait for their turn, unless all of them work. */
  readonly replicas?: number;
  /** Whether they work side by side, and go one after the other when they are replaced. */
  readonly everyoneWorks?: boolean;
  /** Ports beside the one for health and metrics. */
  readonly ports?: Readonly<Record<string, number>>;
  readonly resources?: RoleResources;
  /** How much the role may keep in temporary files; 64Mi when left out. */
  readonly scratch?: string;
}

/** What a role's container is promised, and may use at most. */
export interface RoleResources {
  readonly requests: Readonly<Record<"cpu" | "memory", string>>;
  /** No limit on the processor: a role that is slowed down loses its turn as leader. */
  readonly limits: Readonly<Record<"memory", string>>;
}

const rbac = "rbac.authorization.k8s.io";
const healthPort = 8081;
/** The user without rights of its own that the image names. */
const userId = 65_532;
/** A role at rest was measured at 108 MiB, most of it Node's own; what is above is for the caches of large clusters. */
const defaultResources: RoleResources = { requests: { cpu: "20m", memory: "128Mi" }, limits: { memory: "512Mi" } };

/**
 * The objects that run a role, in the order in which they are to be applied: an account that may do what the rules say
 * and nothing else, and a Deployment of pods without any rights on their node.
 */
export function roleManifests(deployment: RoleDeployment): DynamicObject[] {
  const { role, namespace, replicas = 1, everyoneWorks = false } = deployment;
  if (!/^[a-z]([-a-z0-9]{0,40}[a-z0-9])?$/.test(role)) throw new InvalidInput(`"${role}" is not a name for a role`);
  if (!Number.isInteger(replicas) || replicas < 0) throw new InvalidInput(`${replicas} is not a number of replicas`);
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

/** The labels of a role's pods by which others find them. */
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
  if (wildcard !== undefined) throw new InvalidInput(`the permissions of ${name} have a wildcard`);
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

/** Those who take turns may write the Lease of their own name; Kubernetes cannot tell names apart when making one. */
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
  // Without an election two must never work at once, not even while one takes the other's place.
  if (replicas <= 1) return { type: "Recreate" };
  return { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } };
}

function podSpec(deployment: RoleDeployment, replicas: number): object {
  const { role, scratch = "64Mi" } = deployment;
  return {
    serviceAccountName: `butler-${role}`,
    automountServiceAccountToken: true,
    // Variables for every Service of the namespace are nobody's business here.
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    securityContext: { ...restrictedPod(userId), fsGroup: userId },
    containers: [container(deployment, replicas)],
    volumes: [{ name: "tmp", emptyDir: { sizeLimit: scratch } }],
    ...(replicas > 1 ? { topologySpreadConstraints: [spread(role)] } : {}),
  };
}

/** One node's end should not take all of them. */
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
    // The tag is made of the image's contents, so what is there under this name is right.
    imagePullPolicy: "IfNotPresent",
    args: [role, `--health-port=${healthPort}`, ...election, ...args],
    ports: [
      { name: "health", containerPort: healthPort },
      ...Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort })),
    ],
    // Asked often, so that what waits for the role does not wait for the next question.
    readinessProbe: { ...probe("/readyz"), periodSeconds: 2 },
    livenessProbe: { ...probe("/healthz"), initialDelaySeconds: 10, periodSeconds: 10, failureThreshold: 6 },
    resources,
    securityContext: restrictedContainer(),
    volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
    // When a process ends without a word, the end of its log is the word.
    terminationMessagePolicy: "FallbackToLogsOnError",
  };
}
