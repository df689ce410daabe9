import { AddonDefinition, DataStore, IPAllocation, ProviderConfig, TenantControlPlane, User } from "@butler/api";
import {
  createCatalogEntry,
  createProvider,
  createTeamProvider,
  deleteAllocation,
  deleteCatalogEntry,
  deleteProvider,
  deleteTeamProvider,
  listClusterAddresses,
  listControlPlanes,
  listDataStores,
  listKubernetesVersions,
  protectCluster,
  setPlatformRole,
  testProvider,
  testTeamProvider,
  updateCatalogEntry,
  updateProvider,
  updateTeamProvider,
  validateProvider,
} from "@butler/contract";
import { builtinKinds } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newObject } from "./handlers/writing.ts";
import type { Served } from "./testing/served.ts";
import { inside, makerIn, shop, startTwoTeams } from "./testing/two-teams.ts";

let served: Served;
let make: ReturnType<typeof makerIn>;

beforeAll(async () => {
  const payments = { resourceLimits: { allowedKubernetesVersions: ["v1.34"] } };
  served = await startTwoTeams("server-administration", { payments });
  make = makerIn(served);
});

afterAll(() => served?.stop());

const refusal = (code: string, rest: object = {}) => ({ code, ...rest });

describe("infrastructure", () => {
  it("is added by platform administrators, and its credentials are never returned", async () => {
    const root = served.as("root");
    const { client } = served.cluster;
    const key = { namespace: "butler-system", name: "prism" };
    const secret = () => client.find(builtinKinds.Secret, { ...key, name: "prism-credentials" });
    const nutanix = { endpoint: "https://prism.example.com", clusterUUID: "c1", subnetUUID: "s1" };
    const credentials = { username: "butler", password: "not-to-be-seen" };
    const body = { name: "prism", provider: "nutanix" as const, nutanix, credentials };
    expect(await root.call(testProvider, { body })).toMatchObject({ valid: true });
    expect(await root.call(testProvider, { body: { ...body, credentials: { username: "butler" } } })).toMatchObject({
      valid: false,
      category: "credentials",
    });
    expect(await root.call(testProvider, { body: { ...body, nutanix: undefined } })).toMatchObject({
      valid: false,
      category: "settings",
    });
    expect(await secret()).toBeUndefined();
    await expect(root.call(createProvider, { body: { ...body, credentials: {} } })).rejects.toMatchObject(
      refusal("INVALID", { problem: { field: "credentials" } }),
    );
    await expect(root.call(createProvider, { body: { ...body, nutanix: undefined } })).rejects.toMatchObject(
      refusal("REFUSED", { problem: { field: "spec.nutanix" } }),
    );
    expect(await secret()).toBeUndefined();

    const made = await root.call(createProvider, { body });
    expect(made).toMatchObject({
      metadata: key,
      spec: { scope: { type: "platform" }, credentialsRef: { name: "prism-credentials" } },
    });
    expect(await secret()).toMatchObject({
      data: { password: Buffer.from("not-to-be-seen").toString("base64") },
      metadata: { ownerReferences: [{ kind: "ProviderConfig", name: "prism", uid: made.metadata.uid }] },
    });
    await expect(root.call(createProvider, { body })).rejects.toMatchObject(refusal("ALREADY_EXISTS"));
    expect(await root.call(validateProvider, { params: key })).toMatchObject({ valid: true });
    const change = { limits: { maxClustersPerTeam: 2 }, credentials: { username: "other", password: "also-secret" } };
    const changed = await root.call(updateProvider, { params: key, body: change });
    expect(changed.spec).toMatchObject({ nutanix: { clusterUUID: "c1" }, limits: { maxClustersPerTeam: 2 } });
    expect((await secret())?.["data"]).toMatchObject({ username: Buffer.from("other").toString("base64") });
    expect(JSON.stringify([made, changed, served.records])).not.toMatch(/not-to-be-seen|also-secret/);
    await root.call(deleteProvider, { params: key });
    expect(await secret()).toBeUndefined();
    await eventually(() => served.server.state.providers.get(key) === undefined);
  });

  it("does not modify Secrets that it does not own", async () => {
    const root = served.as("root");
    const { client } = served.cluster;
    const key = { namespace: "butler-system", name: "taken-credentials" };
    await client.create(builtinKinds.Secret, newObject(builtinKinds.Secret, key, { data: { token: "b3du" } }));
    const proxmox = { endpoint: "https://proxmox.example.com:8006", nodes: ["a"], storage: "b" };
    const body = { name: "taken", provider: "proxmox" as const, proxmox, credentials: { token: "another" } };
    expect(await root.call(testProvider, { body })).toMatchObject({ valid: false, category: "credentials" });
    await expect(root.call(createProvider, { body })).rejects.toMatchObject(refusal("ALREADY_EXISTS"));
    const params = { namespace: "butler-system", name: "taken" };
    expect(await client.find(ProviderConfig, params)).toBeUndefined();
    await make(ProviderConfig, params, {
      provider: "proxmox",
      proxmox,
      credentialsRef: { name: "taken-credentials" },
    });
    await eventually(() => served.server.state.providers.get(params));
    const change = { credentials: { token: "another" } };
    await expect(root.call(updateProvider, { params, body: change })).rejects.toMatchObject(refusal("CONFLICT"));
    await root.call(deleteProvider, { params });
    expect(await client.find(builtinKinds.Secret, key)).toMatchObject({ data: { token: "b3du" } });
  });

  it("is added by team admins for their own team only", async () => {
    const ada = served.as("ada");
    const params = { team: "payments" };
    const body = {
      name: "own",
      provider: "aws" as const,
      aws: { region: "eu-central-1" },
      credentials: { accessKeyID: "id", secretAccessKey: "not-to-be-seen" },
    };
    expect(await ada.call(testTeamProvider, { params, body })).toMatchObject({ valid: true });
    expect(await ada.call(createTeamProvider, { params, body })).toMatchObject({
      metadata: { namespace: "payments", name: "own" },
      spec: { scope: { type: "team", teamRef: { name: "payments" } } },
    });
    const own = { ...params, provider: "own" };
    const change = { aws: { region: "eu-west-1" } };
    for (const who of ["olga", "vera"]) {
      await expect(served.as(who).call(updateTeamProvider, { params: own, body: change })).rejects.toMatchObject(
        refusal("FORBIDDEN"),
      );
    }
    await expect(served.as("eve").call(deleteTeamProvider, { params: own })).rejects.toMatchObject(
      refusal("NOT_FOUND"),
    );
    // The team can use what the platform created, but cannot change it.
    await served.as("root").call(createProvider, { body: { name: "shared", provider: "local" } });
    await expect(
      ada.call(updateTeamProvider, { params: { ...params, provider: "shared" }, body: change }),
    ).rejects.toMatchObject(refusal("NOT_FOUND"));
    expect(await ada.call(updateTeamProvider, { params: own, body: change })).toMatchObject({
      spec: { aws: { region: "eu-west-1" } },
    });
    await ada.call(deleteTeamProvider, { params: own });
    const { client } = served.cluster;
    expect(await client.find(builtinKinds.Secret, { namespace: "payments", name: "own-credentials" })).toBeUndefined();
  });
});

describe("add-ons", () => {
  it("are added to, changed in and deleted from the catalog by platform administrators", async () => {
    const root = served.as("root");
    const chart = { repository: "https://charts.example.com", name: "kyverno", defaultVersion: "3.2.0" };
    const body = {
      name: "kyverno",
      displayName: "Kyverno",
      description: "Policies.",
      category: "policy" as const,
      chart,
      platform: true,
    };
    expect(await root.call(createCatalogEntry, { body })).toMatchObject({ name: "kyverno", source: "custom" });
    await expect(root.call(createCatalogEntry, { body })).rejects.toMatchObject(refusal("ALREADY_EXISTS"));
    await expect(
      root.call(createCatalogEntry, { body: { ...body, name: "x", chart: { ...chart, repository: "nowhere" } } }),
    ).rejects.toMatchObject(refusal("REFUSED", { problem: { field: "spec.chart.repository" } }));
    const params = { name: "kyverno" };
    const changed = await root.call(updateCatalogEntry, { params, body: { description: "Policies as objects." } });
    expect(changed).toMatchObject({ description: "Policies as objects.", platform: true, chartName: "kyverno" });
    await root.call(deleteCatalogEntry, { params });
    await eventually(() => served.server.state.definitions.get(params) === undefined);
    await make(AddonDefinition, { name: "shipped" }, { ...body, name: undefined });
    await served.cluster.client.patch(
      AddonDefinition,
      { name: "shipped" },
      { type: "merge", patch: { metadata: { labels: { "butler.butlerlabs.dev/source": "builtin" } } } },
    );
    await eventually(() => served.server.state.definitions.get({ name: "shipped" })?.metadata.labels);
    await expect(root.call(deleteCatalogEntry, { params: { name: "shipped" } })).rejects.toMatchObject(
      refusal("REFUSED"),
    );
    await served.cluster.client.delete(AddonDefinition, { name: "shipped" });
    await eventually(() => served.server.state.definitions.size === 0);
  });
});

describe("a cluster", () => {
  it("has deletion protection, set and cleared by operators", async () => {
    const olga = served.as("olga");
    const annotation = "butler.butlerlabs.dev/deletion-protection";
    const protect = (enabled: boolean) => olga.call(protectCluster, { params: shop, body: { enabled } });
    expect((await protect(true)).metadata.annotations?.[annotation]).toBe("true");
    expect((await protect(false)).metadata.annotations ?? {}).not.toHaveProperty([annotation]);
    await expect(
      served.as("vera").call(protectCluster, { params: shop, body: { enabled: false } }),
    ).rejects.toMatchObject(refusal("FORBIDDEN"));
  });

  it("only accepts versions allowed by the platform and its team", async () => {
    const all = await served.as("eve").call(listKubernetesVersions, {});
    expect(all.minors.length).toBeGreaterThan(1);
    const query = { team: "payments" };
    const own = await served.as("vera").call(listKubernetesVersions, { query });
    expect(own.minors).toEqual([{ minor: "v1.34", versions: [] }]);
    await expect(served.as("eve").call(listKubernetesVersions, { query })).rejects.toMatchObject(refusal("NOT_FOUND"));
  });

  it("has addresses that its team can list and platform administrators can release", async () => {
    const place = (name: string) => ({ namespace: "butler-system", name });
    const allocation = (name: string, tenantClusterRef: object) =>
      make(IPAllocation, place(name), { poolRef: { name: "datacenter" }, tenantClusterRef, type: "loadbalancer" });
    await allocation("shop-lb", shop);
    await allocation("left-over", { namespace: "payments", name: "gone" });
    await eventually(() => served.server.state.allocations.size === 2);
    const seen = await served.as("vera").call(listClusterAddresses, { params: shop });
    expect(seen.allocations.map(({ metadata }) => metadata.name)).toEqual(["shop-lb"]);
    await expect(served.as("eve").call(listClusterAddresses, { params: shop })).rejects.toMatchObject(
      refusal("NOT_FOUND"),
    );
    const root = served.as("root");
    await root.call(deleteAllocation, { params: place("left-over") });
    await expect(root.call(deleteAllocation, { params: place("shop-lb") })).rejects.toMatchObject(refusal("CONFLICT"));
    await root.call(deleteAllocation, { params: place("shop-lb"), query: { force: "true" } });
    await eventually(() => served.server.state.allocations.size === 0);
  });
});

describe("platform roles", () => {
  it("are granted and revoked by other administrators only", async () => {
    const root = served.as("root");
    await make(User, { name: "root" }, { email: "root@example.com", platformRole: "admin" });
    await make(User, { name: "vera" }, { email: "vera@example.com", isPlatformAdmin: true });
    await eventually(() => served.server.state.users.size === 2);
    const set = (user: string, role: "admin" | "viewer" | null) =>
      root.call(setPlatformRole, { params: { user }, body: { role } });
    expect(await set("vera", "viewer")).toMatchObject({ platformRole: "viewer", isPlatformAdmin: false });
    expect(await set("vera", null)).toMatchObject({ platformRole: "", isPlatformAdmin: false });
    await expect(set("root", "viewer")).rejects.toMatchObject(refusal("CONFLICT"));
    await expect(set("missing", "viewer")).rejects.toMatchObject(refusal("NOT_FOUND"));
    expect(served.records.at(-1)).toMatchObject({ action: "change-role", resourceName: "missing", success: false });
  });
});

describe("control plane hosting", () => {
  it("is visible to platform viewers, without credentials", async () => {
    const content = { content: Buffer.from("not-to-be-seen").toString("base64") };
    await make(
      DataStore,
      { name: "default" },
      { driver: "PostgreSQL", endpoints: ["postgres:5432"], basicAuth: { username: content, password: content } },
    );
    const { spec } = TenantControlPlane.example as { readonly spec: object };
    await make(TenantControlPlane, { name: "shop", namespace: inside }, spec);
    const { state } = served.server;
    await eventually(() => state.dataStores.size === 1 && state.controlPlanes.size === 1);
    const watcher = served.as("watcher");
    const stores = await watcher.call(listDataStores, {});
    expect(stores).toMatchObject({ dataStores: [{ name: "default", driver: "PostgreSQL", ready: false }], total: 1 });
    expect(JSON.stringify(stores)).not.toContain(content.content);
    expect(await watcher.call(listControlPlanes, { query: { team: "payments" } })).toMatchObject({
      controlPlanes: [{ name: "shop", cluster: "payments/shop", team: "payments", phase: "Provisioning" }],
      total: 1,
    });
    expect(await watcher.call(listControlPlanes, { query: { team: "billing" } })).toMatchObject({ total: 0 });
    await expect(served.as("ada").call(listDataStores, {})).rejects.toMatchObject(refusal("FORBIDDEN"));
  });
});
