import { kubeconfigAccess, Team, TenantCluster } from "@butler/api";
import { allRoutes, isWrite, pathOf, type Route } from "@butler/contract";
import { type Browser, host, newObject, type WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { people, send, startPlatform, type Answer, answerOf } from "./lib/platform.ts";

let platform: WholeServer;
const browsers: Record<string, Browser> = {};
const as = (who: keyof typeof people): Browser => {
  const browser = browsers[who];
  if (browser === undefined) throw new Error(`${who} is not signed in`);
  return browser;
};

beforeAll(async () => {
  platform = await startPlatform("security-tenancy");
  for (const [who, email] of Object.entries(people)) browsers[who] = await platform.signInAs({ email });
});

afterAll(() => platform?.stop());

const exampleOf = (route: Route): unknown => (route.body?.meta()?.["examples"] as unknown[] | undefined)?.[0];
const foreign: Readonly<Record<string, string>> = {
  namespace: "payments",
  name: "shop",
  team: "payments",
  email: people.vera,
  environment: "dev",
  addon: "shop-cilium",
};
const absent: Readonly<Record<string, string>> = {
  ...foreign,
  namespace: "nowhere",
  name: "nothing",
  team: "unknown-team",
  addon: "none",
};

/** Requests two objects from a route, and replaces their names in the responses, so that only the rest is compared. */
async function ask(route: Route, given: Readonly<Record<string, string>>): Promise<Answer> {
  const params = Object.fromEntries(Object.keys(route.params.shape).map((key) => [key, given[key] ?? "some"]));
  const example = exampleOf(route);
  const isByBody = route.permission.kind === "team" && route.permission.from === "body";
  const body = isByBody ? { ...(example as object), teamRef: given["team"] } : example;
  const answer = await send(as("eve"), platform.url + pathOf(route, params), { method: route.method, body });
  const text = Object.values(given).reduce((all, name) => all.replaceAll(name, "<name>"), JSON.stringify(answer.body));
  const { requestId: _id, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return { ...answer, body: rest };
}

describe("objects of another team", () => {
  const routes = allRoutes.filter(({ permission }) => permission.kind === "team" || permission.kind === "cluster");

  it.each(routes.map((route) => [route.id, route] as const))(
    "32: %s returns the same for another team's object as for a missing one",
    async (_id, route) => {
      const [theirs, none] = [await ask(route, foreign), await ask(route, absent)];
      expect(theirs.status).toBe(404);
      expect(theirs).toEqual(none);
    },
  );

  it("32: objects with an id but without a team are indistinguishable as well", async () => {
    const providers = [
      `${platform.url}/api/providers/payments/payments-cloud`,
      `${platform.url}/api/providers/payments/no-such-cloud`,
    ];
    const [theirs, none] = [await send(as("eve"), providers[0] ?? ""), await send(as("eve"), providers[1] ?? "")];
    expect([theirs.status, none.status]).toEqual([404, 404]);
    expect((await send(as("ada"), providers[0] ?? "")).status).toBe(200);
    const list = await send(as("eve"), `${platform.url}/api/providers`);
    expect(JSON.stringify(list.body)).not.toContain("payments-cloud");
  });

  it("32: lists, searches and filters reveal neither the objects nor their number", async () => {
    for (const path of [
      "/api/clusters",
      "/api/teams",
      "/api/auth/teams",
      "/api/clusters?team=payments",
      "/api/clusters?search=shop",
      "/api/clusters?namespace=payments",
      "/api/teams?search=payments",
    ]) {
      const { body, status } = await send(as("eve"), platform.url + path);
      expect(status).toBe(200);
      expect(JSON.stringify(body), path).not.toMatch(/payments|shop/);
    }
    const filtered = await send(as("eve"), `${platform.url}/api/clusters?team=payments`);
    expect(filtered.body["total"]).toBe(0);
    const headers = { "x-butler-team": "payments" };
    const byHeader = await answerOf(as("eve").send(`${platform.url}/api/clusters`, { headers }));
    expect(byHeader.body["total"]).toBe(0);
  });

  it("2: a role in one team grants nothing in another, and a stranger has none", async () => {
    for (const who of ["eve", "stranger"] as const) {
      for (const route of routes.filter(({ method }) => isWrite(method))) {
        const params = Object.fromEntries(Object.keys(route.params.shape).map((key) => [key, foreign[key] ?? "some"]));
        const answer = await send(as(who), platform.url + pathOf(route, params), {
          method: route.method,
          body: exampleOf(route),
        });
        expect(answer.status, `${who} ${route.id}`).toBe(404);
      }
    }
  });

  it("20: no user creates a cluster in another team or its namespace, or moves one there", async () => {
    const make = (body: object) => send(as("eve"), `${platform.url}/api/clusters`, { method: "POST", body });
    expect((await make({ name: "x1", teamRef: "payments" })).status).toBe(404);
    expect((await make({ name: "x2", teamRef: "billing", namespace: "payments" })).status).toBe(400);
    expect((await make({ name: "x3", namespace: "payments" })).status).toBe(403);
    const viaSpec = await make({ name: "x4", teamRef: "billing", spec: { teamRef: { name: "payments" } } });
    expect([201, 400, 422]).toContain(viaSpec.status);
    const made = platform.state.clusters.list().filter(({ metadata }) => /^x\d$/.test(metadata.name));
    expect(
      made.every(({ spec, metadata }) => spec.teamRef?.name === "billing" && metadata.namespace === "billing"),
    ).toBe(true);
    const ledger = `${platform.url}/api/clusters/billing/ledger`;
    for (const teamRef of [{ name: "payments" }, null, {}]) {
      const moved = await send(as("eve"), ledger, { method: "PUT", body: { spec: { teamRef } } });
      expect(moved).toMatchObject({ status: 400, code: "INVALID" });
    }
    expect(platform.state.clusters.get({ namespace: "billing", name: "ledger" })?.spec.teamRef?.name).toBe("billing");
  });

  it("20: an operator of one environment cannot move a cluster into another, or out of all", async () => {
    const address = `${platform.url}/api/clusters/payments/shop/environment`;
    const move = (who: keyof typeof people, environment: string) =>
      send(as(who), address, { method: "PUT", body: { environment } });
    expect(await move("dev", "prod")).toMatchObject({ status: 403, code: "FORBIDDEN" });
    expect(await move("dev", "")).toMatchObject({ status: 403, code: "FORBIDDEN" });
    expect((await move("dev", "dev")).status).toBe(200);
    expect((await move("olga", "prod")).status).toBe(200);
    expect((await move("dev", "dev")).status).toBe(403);
    expect((await move("olga", "dev")).status).toBe(200);
  });

  it("5: a provider of another team cannot be used by its name", async () => {
    for (const providerConfigRef of ["payments/payments-cloud", { name: "payments-cloud", namespace: "payments" }]) {
      const body = { name: "borrowed", teamRef: "billing", providerConfigRef };
      const answer = await send(as("eve"), `${platform.url}/api/clusters`, { method: "POST", body });
      expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(400);
    }
    expect(platform.state.clusters.get({ namespace: "billing", name: "borrowed" })).toBeUndefined();
  });
});

describe("permissions of a role", () => {
  const address = () => `${platform.url}/api/clusters/payments/shop`;

  it("29: status, ownership and bookkeeping of an object cannot be changed through the API", async () => {
    const before = platform.state.clusters.get({ namespace: "payments", name: "shop" });
    for (const body of [
      { status: { phase: "Ready" } },
      { metadata: { ownerReferences: [] } },
      { metadata: { labels: { "butler.butlerlabs.dev/team": "billing" } } },
      { metadata: { finalizers: [] } },
      { apiVersion: "v1", kind: "Secret" },
      { spec: { unknownField: true } },
      { workers: { replicas: 2, ownerReferences: [] } },
    ]) {
      const answer = await send(as("olga"), address(), { method: "PUT", body });
      expect(answer.status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
    }
    const after = platform.state.clusters.get({ namespace: "payments", name: "shop" });
    expect(after?.metadata.labels).toEqual(before?.metadata.labels);
    expect(after?.metadata.ownerReferences).toEqual(before?.metadata.ownerReferences);
  });

  it("29: reserved labels of Butler cannot be set on a new cluster", async () => {
    for (const key of [
      "butler.butlerlabs.dev/team",
      "butler.butlerlabs.dev/environment",
      "cluster.x-k8s.io/cluster-name",
      "app.kubernetes.io/managed-by",
    ]) {
      const body = { name: "labelled", teamRef: "payments", labels: { [key]: "forged" } };
      const answer = await send(as("olga"), `${platform.url}/api/clusters`, { method: "POST", body });
      expect(answer, key).toMatchObject({ status: 400, code: "INVALID" });
    }
    expect(platform.state.clusters.get({ namespace: "payments", name: "labelled" })).toBeUndefined();
  });

  it("17: no user grants a role above their own, not even to themselves", async () => {
    const members = `${platform.url}/api/teams/payments/members`;
    for (const who of ["vera", "olga", "dev", "watcher"] as const) {
      const add = await send(as(who), members, { method: "POST", body: { email: people.stranger, role: "admin" } });
      expect(add.status, who).toBe(403);
      const raise = await send(as(who), `${members}/${people[who]}`, { method: "PATCH", body: { role: "admin" } });
      expect(raise.status, who).toBe(403);
      const environment = { name: "own", access: { users: [{ name: people[who], role: "admin" }] } };
      const through = await send(as(who), `${platform.url}/api/teams/payments/environments`, {
        method: "POST",
        body: environment,
      });
      expect(through.status, who).toBe(403);
    }
    for (const body of [{ platformRole: "admin" }, { spec: { platformRole: "admin" } }, { role: "admin" }])
      expect((await send(as("ada"), `${platform.url}/api/auth/me`, { method: "PUT", body })).status).toBe(405);
    const limits = await send(as("olga"), `${platform.url}/api/teams/payments`, {
      method: "PUT",
      body: { resourceLimits: { maxClusters: 1_000 } },
    });
    expect(limits.status).toBe(403);
    const access = await send(as("ada"), `${platform.url}/api/teams/payments`, {
      method: "PUT",
      body: { access: { users: [] } },
    });
    expect(access.status).toBe(400);
  });

  it("19: members are users: reserved Kubernetes names are rejected", async () => {
    for (const email of [
      "system:admin",
      "system:serviceaccount:default:default",
      "system:masters@x",
      "*",
      "system:authenticated",
    ]) {
      const body = { email, role: "admin" };
      const answer = await send(as("ada"), `${platform.url}/api/teams/payments/members`, { method: "POST", body });
      expect(answer, email).toMatchObject({ status: 400 });
    }
    for (const name of [
      "system:authenticated",
      "system:masters",
      "butler:users",
      "SYSTEM:unauthenticated",
      "butler:platform:admin",
    ]) {
      const body = { name, role: "admin" };
      const answer = await send(as("ada"), `${platform.url}/api/teams/payments/groups`, { method: "POST", body });
      expect(answer, name).toMatchObject({ status: 400 });
    }
    expect(platform.state.teams.get({ name: "payments" })?.spec.access.groups ?? []).toEqual([]);
  });

  it("15: a platform viewer can change nothing and read no secret", async () => {
    const writes = allRoutes.filter(
      ({ method, permission: { kind } }) => isWrite(method) && kind !== "public" && kind !== "session",
    );
    const params = { ...foreign, user: "root", session: "0".repeat(32) };
    for (const route of writes.filter(({ id }) => id !== "terminal.open")) {
      const own = Object.fromEntries(
        Object.keys(route.params.shape).map((key) => [key, params[key as keyof typeof params] ?? "some"]),
      );
      const answer = await send(as("watcher"), platform.url + pathOf(route, own), {
        method: route.method,
        body: exampleOf(route),
      });
      expect(answer.status, route.id).toBe(403);
    }
    expect((await send(as("watcher"), `${address()}/kubeconfig`)).status).toBe(403);
    expect((await send(as("vera"), `${address()}/kubeconfig`)).status).toBe(403);
  });

  it("hole 8: the kubeconfig that outlives a role is for admins, and operators learn what to use instead", async () => {
    const refused = await send(as("olga"), `${address()}/kubeconfig`);
    expect(refused).toMatchObject({ status: 403, body: { hint: kubeconfigAccess.hint } });
    expect((await send(as("root"), `${address()}/kubeconfig`)).status).toBe(200);
    // Kubernetes still authorizes what the server allows: here, no Role lets the admin read the Secret.
    expect((await send(as("ada"), `${address()}/kubeconfig`)).status).toBe(403);
  });

  it("14: an account is changed only by a higher role, and peers cannot end its sessions", async () => {
    const accounts = platform.state.users.list().map(({ metadata }) => metadata.name);
    expect(accounts).toContain("root");
    for (const who of ["ada", "watcher", "stranger"] as const) {
      for (const [method, path] of [
        ["POST", "/api/users/root/disable"],
        ["DELETE", "/api/users/root"],
        ["DELETE", "/api/admin/users/root/sessions"],
        ["POST", "/api/users/root/resend-invite"],
      ] as const) {
        const answer = await send(as(who), platform.url + path, { method });
        expect([403, 404, 405], `${who} ${path}`).toContain(answer.status);
      }
    }
    expect((await send(as("root"), `${platform.url}/api/auth/me`)).status).toBe(200);
  });

  it("10: a revoked role has no effect within a second", async () => {
    const { client } = platform.cluster;
    const vera = as("vera");
    expect((await send(vera, address())).status).toBe(200);
    const users = (platform.state.teams.get({ name: "payments" })?.spec.access.users ?? []).filter(
      ({ name }) => name !== people.vera,
    );
    await client.patch(Team, { name: "payments" }, { type: "merge", patch: { spec: { access: { users } } } });
    await eventually(async () => (await send(vera, address())).status === 404, { timeoutMs: 1_000 });
    const etag = (await as("ada").send(address())).headers.get("etag") ?? "";
    const csrf = vera.cookie(host, "butler_csrf") ?? "";
    const remembered = await vera.send(address(), { headers: { "if-none-match": etag, "x-butler-csrf": csrf } });
    expect(remembered.status).toBe(404);
    const { body } = await send(vera, `${platform.url}/api/clusters`);
    expect(body["total"]).toBe(0);
  });

  it("20: a cluster recreated by others is not reachable with data of the deleted one", async () => {
    const { client } = platform.cluster;
    const key = { name: "again", namespace: "payments" };
    const body = { name: "again", teamRef: "payments" };
    expect((await send(as("olga"), `${platform.url}/api/clusters`, { method: "POST", body })).status).toBe(201);
    await client.delete(TenantCluster, key);
    await eventually(() => platform.state.clusters.get(key) === undefined);
    await client.create(TenantCluster, newObject(TenantCluster, key, { spec: { teamRef: { name: "billing" } } }));
    await eventually(() => platform.state.clusters.get(key) !== undefined);
    // It is in the namespace of payments and belongs to billing: ownership decides.
    expect((await send(as("olga"), `${platform.url}/api/clusters/payments/again`)).status).toBe(404);
    await client.delete(TenantCluster, key);
  });
});
