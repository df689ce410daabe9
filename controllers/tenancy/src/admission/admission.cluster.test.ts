import { type PolicyRule, teamNamespaceRules } from "@butler/access";
import { annotations, labels, ProviderConfig, Team, TenantCluster, User } from "@butler/api";
import { type AdmissionRequest, judgeAdmission, type KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { Forbidden } from "@butler/std";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowIn } from "./testing/allow-in.ts";
import { AdmissionHarness, ledgerOf, serverAccount } from "./testing/admission-harness.ts";

let harness: AdmissionHarness;
beforeAll(async () => {
  harness = await AdmissionHarness.start();
});
afterAll(() => harness?.stop());

interface Wanted {
  readonly replicas?: number;
  readonly metadata?: object;
  readonly spec?: object;
}

const manifest = (team: string, name: string, { replicas = 1, metadata = {}, spec = {} }: Wanted = {}) => ({
  apiVersion: TenantCluster.apiVersion,
  kind: TenantCluster.kind,
  metadata: { name, namespace: team, ...metadata },
  spec: { workers: { replicas }, ...spec },
});
const make = (
  team: string,
  name: string,
  wanted?: Wanted,
  client: KubeClient = harness.client,
): Promise<TenantCluster> => client.create(TenantCluster, manifest(team, name, wanted));
const change = (team: string, name: string, patch: object): Promise<TenantCluster> =>
  harness.client.patch(TenantCluster, { name, namespace: team }, { type: "merge", patch });
const scale = (team: string, name: string, replicas: number): Promise<TenantCluster> =>
  change(team, name, { spec: { workers: { replicas } } });
const limit = (team: string, resourceLimits: object): Promise<Team> =>
  harness.client.patch(Team, { name: team }, { type: "merge", patch: { spec: { resourceLimits } } });

async function count(team: string): Promise<number> {
  return (await harness.client.list(TenantCluster, { namespace: team })).items.length;
}

/** The results of many concurrent requests. */
async function settle(requests: readonly Promise<unknown>[]): Promise<{ admitted: number; refusals: string[] }> {
  const results = await Promise.allSettled(requests);
  const refusals = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
  return { admitted: results.length - refusals.length, refusals };
}

describe("a cluster", () => {
  it("is defaulted from team and platform, with the requester as creator", async () => {
    await harness.team("filled", { clusterDefaults: { workerCount: 2, workerMemoryGi: 8 } });
    const { spec, metadata } = await harness.client.create(TenantCluster, {
      ...manifest("filled", "shop"),
      spec: {},
    } as DynamicObject);
    expect(spec).toMatchObject({
      teamRef: { name: "filled" },
      providerConfigRef: { name: "local", namespace: "butler-system" },
      kubernetesVersion: "v1.36.3",
      workers: { replicas: 2, machineTemplate: { cpu: 4, memory: "8Gi" } },
    });
    const notes = metadata.annotations ?? {};
    expect(notes[annotations.creatorEmail]).toMatch(/.+/);
    expect(notes[annotations.owner]).toBe(notes[annotations.creatorEmail]);
    expect(JSON.parse(notes[annotations.valueOrigins] ?? "")).toMatchObject({
      "spec.workers.replicas": { value: 2, from: "team" },
    });
  });

  it("is created for another user only by a trusted component", async () => {
    await harness.team("named");
    const foreign = { metadata: { annotations: { [annotations.creatorEmail]: "eve@example.com" } } };
    await expect(make("named", "forged", foreign)).rejects.toThrow(
      /creator-email\]: is eve@example.com, but the request is from .+;/,
    );
    const server = await harness.as(serverAccount, ["system:masters"]);
    const { metadata } = await make("named", "served", foreign, server);
    expect(metadata.annotations?.[annotations.owner]).toBe("eve@example.com");
    const stolen = { metadata: { annotations: { [annotations.creatorEmail]: "mallory@example.com" } } };
    await expect(change("named", "served", stolen)).rejects.toThrow("is eve@example.com and cannot be changed");
  });

  it("may have a generated name", async () => {
    await harness.team("generated", { resourceLimits: { maxClusters: 1 } });
    const made = await make("generated", "", { metadata: { name: undefined, generateName: "shop-" } });
    expect(made.metadata.name).toMatch(/^shop-/);
    expect(Object.keys(await ledgerOf(harness.client, "generated"))).toEqual([`generated.${made.metadata.name}`]);
  });

  it("keeps defaulted values when an update leaves them out", async () => {
    await harness.team("rewritten", { clusterDefaults: { kubernetesVersion: "v1.35.2" } });
    const { metadata } = await make("rewritten", "shop", { replicas: 2 });
    const { name, namespace, resourceVersion } = metadata;
    const bare = { ...manifest("rewritten", "shop"), metadata: { name, namespace, resourceVersion }, spec: {} };
    const written = await harness.client.replace(TenantCluster, bare);
    expect(written.spec).toMatchObject({ kubernetesVersion: "v1.35.2", workers: { replicas: 2 } });
    expect(written.metadata.annotations).toEqual(metadata.annotations);
  });

  it("is deleted only without deletion protection, and its team only without clusters", async () => {
    await harness.team("guarded");
    await make("guarded", "shop", { metadata: { annotations: { [annotations.deletionProtection]: "true" } } });
    const remove = () => harness.client.delete(TenantCluster, { name: "shop", namespace: "guarded" });
    await expect(remove()).rejects.toThrow("remove the annotation first");
    await expect(harness.client.delete(Team, { name: "guarded" })).rejects.toThrow("has 1 cluster(s): guarded/shop");
    await expect(harness.client.delete(ProviderConfig, { name: "local", namespace: "butler-system" })).rejects.toThrow(
      "guarded/shop",
    );
    await change("guarded", "shop", { metadata: { annotations: { [annotations.deletionProtection]: null } } });
    await remove();
    await harness.client.delete(Team, { name: "guarded" });
  });

  it("moves between environments only within the quota there", async () => {
    const environments = [{ name: "dev" }, { name: "prod", limits: { maxClusters: 1 } }];
    await harness.team("moving", { environments });
    const inside = (environment: string) => ({ metadata: { labels: { [labels.environment]: environment } } });
    await make("moving", "a", inside("prod"));
    await make("moving", "b", inside("dev"));
    await expect(change("moving", "b", inside("prod"))).rejects.toThrow("is dev and cannot be changed");
    const migration = {
      metadata: { ...inside("prod").metadata, annotations: { [annotations.migrationOperation]: "true" } },
    };
    await expect(change("moving", "b", migration)).rejects.toThrow(
      "environment prod of team moving: maxClusters is 1, 1 in use, 1 more requested",
    );
    await harness.client.delete(TenantCluster, { name: "a", namespace: "moving" });
    const moved = await change("moving", "b", migration);
    expect(moved.metadata.labels?.[labels.environment]).toBe("prod");
  });
});

describe("the last place in a quota", () => {
  it("goes to exactly one of 50 concurrent creations", async () => {
    await harness.team("crowd", { resourceLimits: { maxClusters: 4 } });
    for (const name of ["one", "two", "three"]) await make("crowd", name);
    const wishes = Array.from({ length: 50 }, (_, at) => make("crowd", `wish-${at}`));
    const { admitted, refusals } = await settle(wishes);
    expect(admitted).toBe(1);
    expect(refusals.filter((text) => !text.includes("maxClusters is 4, 4 in use, 1 more requested"))).toEqual([]);
    expect(await count("crowd")).toBe(4);
  });

  it("admits all of 20 concurrent creations that fit", async () => {
    await harness.team("room", { resourceLimits: { maxClusters: 20, maxTotalNodes: 20 } });
    const { admitted, refusals } = await settle(Array.from({ length: 20 }, (_, at) => make("room", `wish-${at}`)));
    expect([admitted, refusals]).toEqual([20, []]);
  });

  it("goes to exactly one of 20 concurrent scale-ups", async () => {
    await harness.team("growth", { resourceLimits: { maxTotalNodes: 21 } });
    await Promise.all(Array.from({ length: 20 }, (_, at) => make("growth", `c-${at}`)));
    const { admitted, refusals } = await settle(Array.from({ length: 20 }, (_, at) => scale("growth", `c-${at}`, 2)));
    expect(admitted).toBe(1);
    expect(refusals.filter((text) => !text.includes("maxTotalNodes is 21, 21 in use, 1 more requested"))).toEqual([]);
    const { items } = await harness.client.list(TenantCluster, { namespace: "growth" });
    expect(items.reduce((sum, { spec }) => sum + (spec.workers.replicas ?? 0), 0)).toBe(21);
  });

  it("goes to exactly one cluster of a member", async () => {
    await harness.team("member", { environments: [{ name: "dev", limits: { maxClustersPerMember: 1 } }] });
    const inside = { metadata: { labels: { [labels.environment]: "dev" } } };
    const { admitted } = await settle(Array.from({ length: 10 }, (_, at) => make("member", `wish-${at}`, inside)));
    expect(admitted).toBe(1);
  });

  it("is not taken by a dry run or a denied request", async () => {
    await harness.team("asking", { resourceLimits: { maxClusters: 1, maxTotalNodes: 3 } });
    for (const name of ["a", "b"]) {
      await harness.client.create(TenantCluster, manifest("asking", name), { dryRun: true });
    }
    await expect(make("asking", "large", { replicas: 4 })).rejects.toThrow("maxTotalNodes is 3, 0 in use, 4 more");
    await expect(make("asking", "old", { spec: { kubernetesVersion: "v1.1.0" } })).rejects.toThrow("not supported");
    expect(await ledgerOf(harness.client, "asking")).toEqual({});
    await make("asking", "real");
    await expect(harness.client.create(TenantCluster, manifest("asking", "c"), { dryRun: true })).rejects.toThrow(
      "maxClusters is 1",
    );
  });

  it("is free immediately after its cluster is deleted", async () => {
    await harness.team("again", { resourceLimits: { maxClusters: 1 } });
    for (const name of ["a", "b", "c"]) {
      await make("again", name);
      await harness.client.delete(TenantCluster, { name, namespace: "again" });
    }
    expect(await count("again")).toBe(0);
  });

  it("stays reserved for an admitted request that was lost, and is free a minute later", async () => {
    await harness.team("crash", { resourceLimits: { maxClusters: 1 } });
    const handler = harness.handlers.find(({ path }) => path.startsWith("/validate") && path.endsWith("tenantcluster"));
    if (handler === undefined) throw new Error("no handler for clusters");
    const object = await harness.client.create(TenantCluster, manifest("crash", "lost"), { dryRun: true });
    const username = object.metadata.annotations?.[annotations.creatorEmail] ?? "";
    const request: AdmissionRequest = {
      uid: "1",
      kind: TenantCluster,
      subResource: undefined,
      name: "lost",
      namespace: "crash",
      operation: "CREATE",
      userInfo: { username, uid: "", groups: [] },
      object: object as unknown as DynamicObject,
      oldObject: undefined,
      dryRun: false,
    };
    expect(await judgeAdmission(handler, request, AbortSignal.timeout(10_000))).toMatchObject({ allowed: true });
    expect(Object.keys(await ledgerOf(harness.client, "crash"))).toEqual(["crash.lost"]);
    await expect(make("crash", "next")).rejects.toThrow("maxClusters is 1, 1 in use");
    harness.pass(59_000);
    await expect(make("crash", "next")).rejects.toThrow("maxClusters is 1, 1 in use");
    harness.pass(1_001);
    await make("crash", "next");
    expect(Object.keys(await ledgerOf(harness.client, "crash"))).toEqual(["crash.next"]);
  });
});

describe("a quota below the current usage", () => {
  it("allows labeling, scaling down and deleting, and rejects every growth", async () => {
    await harness.team("lowered", { resourceLimits: { maxClusters: 9 } });
    await make("lowered", "shop", { replicas: 3, metadata: { finalizers: ["butler.butlerlabs.dev/tenantcluster"] } });
    await limit("lowered", { maxClusters: 0, maxTotalNodes: 0, maxNodesPerCluster: 0, maxCPUCores: 0, maxMemory: 0 });
    await change("lowered", "shop", { metadata: { labels: { a: "b" } } });
    await change("lowered", "shop", { spec: { paused: true } });
    await scale("lowered", "shop", 2);
    await expect(scale("lowered", "shop", 3)).rejects.toThrow("maxTotalNodes is 0, 2 in use, 1 more requested");
    await harness.client.delete(TenantCluster, { name: "shop", namespace: "lowered" });
    await change("lowered", "shop", { metadata: { finalizers: null } });
    expect(await count("lowered")).toBe(0);
  });
});

describe("users", () => {
  const allow = (user: string, namespace: string | undefined, rules: readonly PolicyRule[]): Promise<void> =>
    allowIn(harness, { user, namespace, rules });
  const onTeams = { apiGroups: [Team.group], resources: ["teams", "users"], verbs: ["get", "create", "patch"] };

  it("can change a team only as its current administrators", async () => {
    const users = [{ name: "boss@example.com", role: "admin" }];
    await harness.team("ruled", { access: { users } });
    for (const user of ["boss@example.com", "eve@example.com"]) await allow(user, undefined, [onTeams]);
    const [boss, eve] = [await harness.as("boss@example.com"), await harness.as("eve@example.com")];
    const patch = (client: KubeClient, spec: object) =>
      client.patch(Team, { name: "ruled" }, { type: "merge", patch: { spec } });
    const usurped = { access: { users: [...users, { name: "eve@example.com", role: "admin" }] } };
    await expect(patch(eve, usurped)).rejects.toThrow("spec.access: can only be changed by an admin of team ruled");
    await expect(patch(boss, { resourceLimits: { maxClusters: 9 } })).rejects.toThrow(
      "can only be set by a platform administrator",
    );
    await patch(boss, { displayName: "Ruled" });
    await harness.create(User, { metadata: { name: "boss" }, spec: { email: "Boss@example.com" } });
    const promote = { type: "merge", patch: { spec: { platformRole: "admin" } } } as const;
    await expect(boss.patch(User, { name: "boss" }, promote)).rejects.toThrow(
      "can only be set by a platform administrator",
    );
    await harness.client.patch(User, { name: "boss" }, promote);
    await patch(boss, { resourceLimits: { maxClusters: 9 } });
    await expect(
      harness.create(User, { metadata: { name: "other" }, spec: { email: "BOSS@example.com" } }),
    ).rejects.toThrow("is already used by User boss");
  });

  it("can be granted the platform administrator permission by a ClusterRole", async () => {
    await harness.team("piped");
    const patch = { type: "merge", patch: { spec: { resourceLimits: { maxClusters: 1 } } } } as const;
    await allow("pipeline", undefined, [onTeams]);
    const pipeline = await harness.as("pipeline");
    await expect(pipeline.patch(Team, { name: "piped" }, patch)).rejects.toThrow(
      "can only be set by a platform administrator",
    );
    await allow("trusted-pipeline", undefined, [
      onTeams,
      { apiGroups: [Team.group], resources: ["butlerconfigs"], resourceNames: ["butler"], verbs: ["administer"] },
    ]);
    const trusted = await harness.as("trusted-pipeline");
    await trusted.patch(Team, { name: "piped" }, patch);
  });

  it("have their role's permissions in the team's namespace, and viewers read no Secrets", async () => {
    await harness.team("roles");
    const secret = { metadata: { name: "credentials", namespace: "roles" }, data: {} };
    await harness.create(builtinKinds.Secret, secret);
    for (const role of ["viewer", "operator", "admin"] as const) {
      await allow(`${role}@roles`, "roles", teamNamespaceRules(role));
    }
    const [viewer, operator, admin] = await Promise.all(
      ["viewer", "operator", "admin"].map((role) => harness.as(`${role}@roles`)),
    );
    if (viewer === undefined || operator === undefined || admin === undefined) throw new Error("missing client");
    await expect(make("roles", "shop", {}, viewer)).rejects.toThrow(Forbidden);
    const { metadata } = await make("roles", "shop", {}, operator);
    expect(metadata.annotations?.[annotations.creatorEmail]).toBe("operator@roles");
    expect((await viewer.list(TenantCluster, { namespace: "roles" })).items).toHaveLength(1);
    for (const client of [viewer, operator]) {
      await expect(client.get(builtinKinds.Secret, secret.metadata)).rejects.toThrow(Forbidden);
      await expect(client.list(builtinKinds.Secret, { namespace: "roles" })).rejects.toThrow(Forbidden);
    }
    expect((await admin.get(builtinKinds.Secret, secret.metadata)).metadata.name).toBe("credentials");
  });
});
