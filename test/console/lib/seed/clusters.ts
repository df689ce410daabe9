import { annotations, labels, TenantCluster } from "@butler/api";
import type { ObjectMeta } from "@butler/resource";
import { newObject, type WholeServer } from "@butler/server/testing";
import { ago, roles, spans } from "./people.ts";
import { hostile, hostileSentence, longestName } from "./texts.ts";

const { minute, hour, day } = spans;

/** Progress of a cluster, as shown in its status. */
type Story = "Pending" | "Provisioning" | "Installing" | "Ready" | "Degraded" | "Updating" | "Deleting" | "Failed";

interface Plan {
  readonly name: string;
  readonly team: string;
  readonly environment: string | undefined;
  readonly story: Story;
  readonly version?: string;
  readonly workers?: number;
  readonly owner?: string;
  readonly description?: string;
}

const stories: readonly Story[] = [
  "Ready",
  "Ready",
  "Provisioning",
  "Ready",
  "Installing",
  "Updating",
  "Ready",
  "Failed",
  "Degraded",
  "Deleting",
  "Pending",
];
const names = ["checkout", "ledger", "fraud", "invoices", "refunds", "gateway", "wallet", "tax", "payouts", "tokens"];

function plans(): Plan[] {
  const many = Array.from({ length: 21 }, (_none, at): Plan => ({
    name: `${names[at % names.length] ?? "more"}${at < names.length ? "" : `-${Math.floor(at / names.length) + 1}`}`,
    team: "payments",
    environment: (["dev", "staging", "prod"] as const)[at % 3],
    story: stories[at % stories.length] ?? "Ready",
    version: (["v1.34.1", "v1.33.5", "v1.32.9"] as const)[at % 3] ?? "v1.34.1",
    workers: 1 + (at % 4),
    owner: at % 2 === 0 ? roles.operator.email : "grace@example.com",
  }));
  const research = (["Ready", "Failed", "Ready", "Pending", "Degraded"] as const).map((story, at): Plan => ({
    name: `trial-${at + 1}`,
    team: "research",
    environment: at === 4 ? "forgotten" : "lab",
    story,
  }));
  const odd = (["Degraded", "Failed", "Ready"] as const).map((story, at): Plan => ({
    name: at === 0 ? longestName : `odd-${at}`,
    team: "oddities",
    environment: at === 0 ? "an-environment-with-a-name-as-long-as-environments-may-have-one" : "lab",
    story,
    owner: hostile.markup,
    description: hostileSentence,
  }));
  const shop: Plan = {
    name: "shop",
    team: "payments",
    environment: "prod",
    story: "Ready",
    workers: 3,
    owner: roles["team-admin"].email,
    description: "The shop itself. Page the on-call engineer before you change it.",
  };
  return [shop, ...many, ...research, ...odd];
}

/** Namespace of the objects of a cluster. */
export function insideOf(name: string): string {
  return `${name.slice(0, 40)}-11111111`;
}

/** Creates thirty clusters across all phases. */
export async function seedClusters({ cluster: { client } }: WholeServer): Promise<number> {
  const all = plans();
  for (const plan of all) {
    const { name, team, version = "v1.34.1", workers = 3, story } = plan;
    const metadata = metadataOf(plan);
    const spec = {
      kubernetesVersion: version,
      teamRef: { name: team },
      providerConfigRef: { name: story === "Failed" ? "proxmox-lab" : "harvester" },
      controlPlane: { replicas: 2 },
      workers: { replicas: workers, machineTemplate: { cpu: 4, memory: "16Gi", diskSize: "100Gi" } },
      networking: { podCIDR: "10.244.0.0/16", serviceCIDR: "10.96.0.0/12", lbPoolSize: 8 },
    };
    await client.create(TenantCluster, newObject(TenantCluster, metadata, { spec }));
    const key = { name, namespace: team };
    const patch = { status: statusOf(plan) };
    await client.patch(TenantCluster, key, { type: "merge", subresource: "status", patch });
    if (story === "Deleting") await client.delete(TenantCluster, key);
  }
  return all.length;
}

function metadataOf({ name, team, environment, story, owner, description }: Plan): ObjectMeta {
  return {
    name,
    namespace: team,
    labels: { [labels.team]: team, ...(environment !== undefined && { [labels.environment]: environment }) },
    annotations: {
      ...(owner !== undefined && { [annotations.owner]: owner, [annotations.creatorEmail]: owner }),
      ...(description !== undefined && { [annotations.description]: description }),
      ...(name === "shop" && { [annotations.deletionProtection]: "true" }),
    },
    // A finalizer keeps clusters in deletion, as the controller does.
    ...(story === "Deleting" && { finalizers: ["butler.butlerlabs.dev/tenantcluster"] }),
  };
}

const chapters = [
  ["Accepted", "QuotaSatisfied"],
  ["Network", "NetworkReady"],
  ["ControlPlane", "ControlPlaneReady"],
  ["Workers", "WorkersReady"],
  ["Addons", "AddonsReady"],
  ["Ready", "Ready"],
] as const;

/** Number of finished steps, and the condition of the open one. */
const conditionsOf: Readonly<Record<Story, readonly [over: number, reason: string, message: string]>> = {
  Pending: [0, "WaitingForQuota", "waits for the team's limits"],
  Provisioning: [3, "WaitingForMachines", "1 of 3 machines has joined"],
  Installing: [4, "Installing", "cilium is being installed: 14 of 17 objects are ready"],
  Ready: [6, "Ready", ""],
  Degraded: [5, "AddonNotReady", "longhorn: the pod instance-manager-2 does not start: no space left on device"],
  Updating: [5, "Updating", "v1.33.5 to v1.34.1: 2 of 3 machines are replaced"],
  Deleting: [6, "Ready", ""],
  Failed: [2, "EndpointTaken", "the address 10.40.1.17 answers already, and not as this control plane"],
};

function observedState(kubernetesVersion: string, workers: object): object {
  const addons = [
    { name: "cilium", version: "1.18.2", status: "Healthy", managedBy: "butler" },
    { name: "metallb", version: "0.15.2", status: "Healthy", managedBy: "butler" },
  ];
  return { kubernetesVersion, workers, addons };
}

/** The condition of a finished or open step. */
function conditionOf(type: string, open: { readonly reason: string; readonly message: string } | undefined): object {
  return open === undefined
    ? { type, status: "True", reason: "Ready", message: "" }
    : { type, status: "False", ...open };
}

/** Age of the cluster. */
function ageOf(story: Story): number {
  return story === "Provisioning" || story === "Installing" ? 6 * minute : 12 * day;
}

function stepsOf(over: number, began: number): object[] {
  return chapters.slice(0, over + 1).map(([step], at) => ({
    name: step,
    startedAt: ago(began - at * 35_000),
    ...(at < over && { finishedAt: ago(began - (at + 1) * 35_000) }),
  }));
}

function statusOf({ name, team, story, version = "v1.34.1", workers = 3 }: Plan): object {
  const [over, reason, ordinary] = conditionsOf[story];
  const message = team === "oddities" && story !== "Ready" ? `${ordinary} ${hostileSentence}` : ordinary;
  const began = ageOf(story);
  const conditions = chapters.slice(0, over + 1).map(([, type], at) => ({
    ...conditionOf(type, at < over ? undefined : { reason, message }),
    lastTransitionTime: ago(began - at * minute),
    observedGeneration: 1,
  }));
  const isEnded = over === chapters.length;
  const summary = { type: "Ready", status: "False", reason, message, lastTransitionTime: ago(began / 2) };
  const ready = over > 3 ? workers : Number(over > 2);
  return {
    phase: story === "Degraded" ? "Ready" : story,
    observedGeneration: 1,
    tenantNamespace: insideOf(name),
    ...(over > 2 && { controlPlaneEndpoint: `https://10.40.1.${20 + (name.length % 100)}:6443` }),
    workerNodesReady: ready,
    workerNodesDesired: workers,
    conditions: isEnded || over === 5 ? conditions : [...conditions, summary],
    steps: stepsOf(over, began),
    ...(over > 2 && { observedState: observedState(version, { desired: workers, ready, nodes: [] }) }),
    lastTransitionTime: ago(story === "Updating" ? hour : began / 2),
  };
}
