import { type Actor, isAllowed, isRefusedByRoles, type Wire } from "./actor.ts";
import { type Gain, power } from "./gains.ts";
import { type Place, planted, podSpec, type World } from "./world.ts";

/** What every step works with. */
export interface StepContext {
  readonly wire: Wire;
  readonly world: World;
  /** The identity of an account, once it has been taken over in any way. */
  readonly identityOf: (account: Place) => Promise<Actor>;
}

/** A step towards other rights. Every write is a dry run: it passes authorization and admission, and changes nothing. */
export type Step = (actor: Actor, context: StepContext) => Promise<readonly Gain[]>;

const dry = "?dryRun=All";

/** Requests a token of every ServiceAccount. */
export const createTokens: Step = async (actor, { wire, world, identityOf }) => {
  const gains: Gain[] = [];
  for (const account of world.accounts) {
    const path = `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token${dry}`;
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    if (isAllowed(await wire.send(actor, path, { method: "POST", body })))
      gains.push({ actor: await identityOf(account) });
  }
  return gains;
};

/** Creates a Secret into which Kubernetes writes a token that never expires. */
export const createTokenSecrets: Step = (actor, context) =>
  forAccounts(context, async ({ namespace, name }) => {
    const annotations = { "kubernetes.io/service-account.name": name };
    const body = {
      apiVersion: "v1",
      kind: "Secret",
      type: "kubernetes.io/service-account-token",
      metadata: { name: `token-of-${name}`, annotations },
    };
    return context.wire.send(actor, `/api/v1/namespaces/${namespace}/secrets${dry}`, { method: "POST", body });
  });

const workloads = [
  { api: "/api/v1", kind: "Pod", plural: "pods" },
  { api: "/apis/apps/v1", kind: "Deployment", plural: "deployments" },
  { api: "/apis/apps/v1", kind: "StatefulSet", plural: "statefulsets" },
  { api: "/apis/apps/v1", kind: "DaemonSet", plural: "daemonsets" },
  { api: "/apis/apps/v1", kind: "ReplicaSet", plural: "replicasets" },
  { api: "/apis/batch/v1", kind: "Job", plural: "jobs" },
  { api: "/apis/batch/v1", kind: "CronJob", plural: "cronjobs" },
] as const;
type Workload = (typeof workloads)[number];

function workload({ api, kind }: Workload, spec: object): object {
  const labels = { app: "walk" };
  const template = { metadata: { labels }, spec: { restartPolicy: kind.endsWith("ob") ? "Never" : "Always", ...spec } };
  const selected = { selector: { matchLabels: labels }, template };
  const bodies: Readonly<Record<string, object>> = {
    Pod: spec,
    StatefulSet: { serviceName: "walk", ...selected },
    Job: { template },
    CronJob: { schedule: "* * * * *", jobTemplate: { spec: { template } } },
  };
  const apiVersion = api.replace(/^\/apis?\//, "");
  return { apiVersion, kind, metadata: { name: "walk", labels }, spec: bodies[kind] ?? selected };
}

/** Runs a pod, or anything that makes one, with the token of every ServiceAccount. */
export const runPodsWithTokens: Step = async (actor, context) => {
  const gains = await Promise.all(
    workloads.flatMap((each) =>
      tokenVolumes.map((spec) =>
        forAccounts(context, ({ namespace, name }) => {
          const body = workload(each, podSpec({ ...spec, serviceAccountName: name }));
          const path = `${each.api}/namespaces/${namespace}/${each.plural}${dry}`;
          return context.wire.send(actor, path, { method: "POST", body });
        }),
      ),
    ),
  );
  return gains.flat();
};

const tokenVolumes = [
  { automountServiceAccountToken: true },
  { volumes: [{ name: "token", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } }] },
];

/** Not `privileged`, which the API server of a test refuses for everyone: SYS_ADMIN stands for it. */
const hostAccess: readonly (readonly [string, object])[] = [
  ["with a directory of the node", podSpec({ volumes: [{ name: "root", hostPath: { path: "/" } }] })],
  ["in the node's process namespace", podSpec({ hostPID: true })],
  ["in the node's network", podSpec({ hostNetwork: true })],
  ["with SYS_ADMIN", podSpec({}, { securityContext: { capabilities: { add: ["SYS_ADMIN"] } } })],
];

/** Runs pods that have access to their node, and pods in namespaces that are others'. */
export const runPodsOnNodes: Step = async (actor, { wire, world }) => {
  const gains: Gain[] = [];
  for (const namespace of world.namespaces)
    for (const each of workloads) {
      const path = `${each.api}/namespaces/${namespace}/${each.plural}${dry}`;
      const run = (spec: object) => wire.send(actor, path, { method: "POST", body: workload(each, spec) });
      const plain = await run(podSpec());
      if (isAllowed(plain)) gains.push(power(`runs pods in ${namespace}`));
      if (isRefusedByRoles(plain)) continue;
      const replies = await Promise.all(hostAccess.map(async ([what, spec]) => [what, await run(spec)] as const));
      for (const [what] of replies.filter(([, reply]) => isAllowed(reply)))
        gains.push(power(`runs pods ${what} in ${namespace}`));
    }
  return gains;
};

const execs = ["exec?command=sh", "attach?stdin=true", "portforward?ports=1", "proxy/"] as const;

/** Opens a process in the pods of others. */
export const enterPods: Step = async (actor, { wire, world }) => {
  const gains: Gain[] = [];
  for (const namespace of world.namespaces) {
    const pod = `/api/v1/namespaces/${namespace}/pods/${planted}`;
    for (const way of execs)
      if (isAllowed(await wire.send(actor, `${pod}/${way}`, { method: "POST" })))
        gains.push(power(`enters pods in ${namespace}`));
    const patch = { spec: { ephemeralContainers: [{ name: "debug", image: "registry.example/shell:1" }] } };
    const type = "application/strategic-merge-patch+json";
    const debug = { method: "PATCH", body: patch, type };
    if (isAllowed(await wire.send(actor, `${pod}/ephemeralcontainers${dry}`, debug)))
      gains.push(power(`enters pods in ${namespace}`));
  }
  return gains;
};

/** Impersonates users, accounts and groups, together and alone. */
export const impersonate: Step = async (actor, context) => {
  if (actor.impersonates !== undefined) return [];
  const { wire, world } = context;
  const accounts = world.accounts.map(({ namespace, name }) => `system:serviceaccount:${namespace}:${name}`);
  const users = ["system:admin", "system:kube-controller-manager", "system:apiserver", ...world.people, ...accounts];
  const isPossible = async (user: string, groups: readonly string[]): Promise<Gain[]> => {
    const name = groups.length === 0 ? user : `${user} as ${groups.join(", ")}`;
    const other: Actor = { name, token: actor.token, impersonates: { user, groups } };
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
    return isAllowed(await wire.send(other, path, { method: "POST", body })) ? [{ actor: other }] : [];
  };
  const alone = await Promise.all(users.map((user) => isPossible(user, [])));
  const people = users.filter((_user, at) => alone[at]?.length === 1);
  const [first] = people;
  if (first === undefined) return [];
  const inGroups = await Promise.all(world.groups.map((group) => isPossible(first, [group])));
  const groups = world.groups.filter((_group, at) => inGroups[at]?.length === 1);
  const together = await Promise.all(people.map((user) => isPossible(user, groups)));
  return [...alone, ...inGroups, ...together].flat();
};

type Attempt = (account: Place) => ReturnType<Wire["send"]>;

/** Kubernetes' controllers have some forty accounts, which differ in nothing that a request could tell apart. */
function isOfInterest({ namespace, name }: Place): boolean {
  return namespace !== "kube-system" || ["default", "clusterrole-aggregation-controller"].includes(name);
}

/** Tries something for every account, unless roles refuse it in the whole namespace. */
async function forAccounts({ world, identityOf }: StepContext, attempt: Attempt): Promise<Gain[]> {
  const gains: Gain[] = [];
  const tried = world.accounts.filter(isOfInterest);
  for (const [, accounts] of Map.groupBy(tried, ({ namespace }) => namespace))
    for (const account of accounts) {
      const reply = await attempt(account);
      if (isAllowed(reply)) gains.push({ actor: await identityOf(account) });
      else if (isRefusedByRoles(reply)) break;
    }
  return gains;
}
