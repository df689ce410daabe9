import { annotations, labels, namespaces, secretKeys, Team, TenantAddon, TenantCluster, User } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { apiVersionOf, builtinKinds, type DynamicObject, type Kind, type ObjectMeta } from "@butler/resource";
import { inParallel } from "./bare.ts";

/** A user who signs in, and the teams whose clusters they see; undefined for users with a platform role. */
export interface Person {
  readonly email: string;
  readonly teams: readonly string[] | undefined;
}

/** Sizes of the fleet. */
export interface FleetSize {
  readonly teams: number;
  readonly clustersPerTeam: number;
  readonly people: number;
}

/** When the writer wrote an object, in milliseconds; visible to users, because it is one of Butler's annotations. */
export const writtenAnnotation = "butler.butlerlabs.dev/bench-written";

/** Password of all users in the benchmark, hashed with the lowest work factor because it protects nothing. */
export const benchPassword = "a long bench passphrase 1";
const benchPasswordHash = "$2b$04$a3tN6rq4QW8gvWryK/yb6esf5U9iJ./dIcUa4XF3DFNEM8FRtRq6C";

/** Number of concurrent writes. */
const writers = 24;

/** Team and number of a cluster: the first ones of each team are moved between teams and have no add-ons. */
export interface Place {
  readonly team: number;
  readonly at: number;
}

/** Name of a team, and of its namespace. */
export function teamName(at: number): string {
  return `team-${String(at).padStart(3, "0")}`;
}

/** Name of a cluster of a team. */
export function clusterName(at: number): string {
  return `cluster-${String(at).padStart(3, "0")}`;
}

/** All users: two with a platform role, and members of one to nine teams. */
export function peopleOf({ people, teams }: FleetSize): Person[] {
  return Array.from({ length: people }, (_none, at) => {
    const email = `person-${at}@bench.example`;
    if (at < 2) return { email, teams: undefined };
    const count = Math.min(teams, [1, 1, 2, 3, 5, 9][at % 6] ?? 1);
    return { email, teams: Array.from({ length: count }, (_other, step) => teamName((at * 7 + step * 13) % teams)) };
  });
}

/** Creates teams, users and clusters with their status. */
export async function makeFleet(client: ApiClient, size: FleetSize): Promise<void> {
  const create = (kind: Kind, metadata: ObjectMeta, body: Readonly<Record<string, unknown>> = {}) =>
    client.create(kind, object(kind, metadata, body));
  const people = peopleOf(size);
  const teams = Array.from({ length: size.teams }, (_none, at) => at);
  await create(builtinKinds.Namespace, { name: namespaces.system });
  await inParallel(teams, writers, async (at) => {
    const name = teamName(at);
    const members = people.filter((person) => person.teams?.includes(name));
    const users = members.map(({ email }) => ({ name: email, role: "viewer" }));
    await create(builtinKinds.Namespace, { name });
    await create(Team, { name }, { spec: { access: { users } } });
  });
  await inParallel(people, writers, (person) => makePerson(client, person));
  const places = teams.flatMap((team) =>
    Array.from({ length: size.clustersPerTeam }, (_none, at): Place => ({ team, at })),
  );
  await inParallel(places, writers, (place) => makeCluster(client, place));
  await inParallel(teams, writers, async (team) => {
    const spec = { clusterRef: { name: clusterName(1) }, addon: "cilium", version: "1.18.2" };
    await create(TenantAddon, { name: "cilium", namespace: teamName(team) }, { spec });
  });
}

async function makePerson(client: ApiClient, { email, teams }: Person): Promise<void> {
  const name = email.replaceAll(/[^a-z0-9]/g, "-");
  const key = { name: `password-of-${name}`, namespace: namespaces.system };
  const data = { [secretKeys.password]: Buffer.from(benchPasswordHash).toString("base64") };
  await client.create(builtinKinds.Secret, object(builtinKinds.Secret, key, { type: "Opaque", data }));
  const spec = { email, authType: "internal", ...(teams === undefined ? { platformRole: "viewer" } : {}) };
  await client.create(User, object(User, { name }, { spec }));
  const patch = { status: { phase: "Active", passwordSecretRef: key } };
  await client.patch(User, { name }, { type: "merge", subresource: "status", patch });
}

const phases = ["Ready", "Ready", "Ready", "Provisioning", "Updating", "Failed"] as const;
const environments = ["prod", "staging", "dev"] as const;

/** Creates a cluster that looks like one that has existed for a while. */
export async function makeCluster(client: ApiClient, { team, at }: Place, name = clusterName(at)): Promise<void> {
  const namespace = teamName(team);
  await client.create(TenantCluster, newCluster({ name, namespace }, at));
  const patch = { status: statusOf({ name, at, phase: phases[at % phases.length] ?? "Ready" }) };
  await client.patch(TenantCluster, { name, namespace }, { type: "merge", subresource: "status", patch });
}

function newCluster({ name, namespace }: { readonly name: string; readonly namespace: string }, at: number) {
  const own = {
    [labels.team]: namespace,
    [labels.environment]: environments[at % environments.length] ?? "prod",
    [labels.managedBy]: "butler",
  };
  const metadata = {
    name,
    namespace,
    labels: own,
    annotations: {
      [annotations.creatorEmail]: "person-0@bench.example",
      [annotations.description]: `Cluster ${name} of ${namespace}, for the services of its people`,
      [writtenAnnotation]: String(Date.now()),
    },
  };
  const spec = {
    kubernetesVersion: at % 4 === 0 ? "v1.33.5" : "v1.34.1",
    teamRef: { name: namespace },
    providerConfigRef: { name: `provider-${at % 5}` },
    controlPlane: { replicas: 1 + (at % 3) },
    workers: { replicas: 3, machineTemplate: { cpu: 4, memory: "16Gi", diskSize: "100Gi" } },
    networking: { podCIDR: "10.244.0.0/16", serviceCIDR: "10.96.0.0/12", lbPoolSize: 8 },
    addons: { cni: { version: "1.18.2" }, ingress: { provider: "traefik" } },
  };
  return object(TenantCluster, metadata, { spec });
}

const moment = "2026-03-01T12:00:00Z";

function statusOf({ name, at, phase }: { readonly name: string; readonly at: number; readonly phase: string }) {
  const types = ["InfrastructureReady", "ControlPlaneReady", "WorkersReady", "AddonsReady", "NetworkReady", "Ready"];
  const addon = (addonName: string) => ({
    name: addonName,
    version: "1.2.3",
    status: "Healthy",
    managedBy: "butler",
  });
  return {
    phase,
    tenantNamespace: `tenant-${name}`,
    controlPlaneEndpoint: `https://10.20.${at % 250}.${at % 200}:6443`,
    observedGeneration: 1,
    lastTransitionTime: moment,
    workerNodesReady: 3,
    workerNodesDesired: 3,
    conditions: types.map((type) => ({
      type,
      status: phase === "Ready" ? "True" : "False",
      reason: phase,
      message: `${type} as of the last look`,
      lastTransitionTime: moment,
      observedGeneration: 1,
    })),
    observedState: {
      kubernetesVersion: at % 4 === 0 ? "v1.33.5" : "v1.34.1",
      workers: { desired: 3, ready: 3, nodes: [1, 2, 3].map((node) => `${name}-worker-${node}`) },
      addons: ["cilium", "metallb", "cert-manager", "longhorn", "traefik", "flux"].map(addon),
    },
    steps: ["Namespace", "ControlPlane", "Workers", "Addons"].map((step) => ({
      name: step,
      startedAt: moment,
      finishedAt: moment,
    })),
  };
}

/** An object to create. */
export function object(kind: Kind, metadata: ObjectMeta, body: Readonly<Record<string, unknown>>): DynamicObject {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...body };
}
