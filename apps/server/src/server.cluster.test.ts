import { Team, TenantCluster } from "@butler/api";
import {
  addMember,
  changeMember,
  createCluster,
  createEnvironment,
  createTeam,
  deleteCluster,
  deleteEnvironment,
  deleteTeam,
  getCluster,
  getMe,
  getTeam,
  getTeamUsage,
  listClusters,
  listMembers,
  listTeams,
  moveCluster,
  planCluster,
  removeMember,
  scaleCluster,
  updateCluster,
  updateTeam,
  upgradeCluster,
  whyCluster,
} from "@butler/contract";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newObject } from "./handlers/writing.ts";
import type { SignedIn } from "./ports.ts";
import { bindPlatform, bindTeam, type Served, startServed } from "./testing/served.ts";

const person = (email: string, rest: Partial<SignedIn> = {}): SignedIn => ({ person: { email, groups: [] }, ...rest });
const people = {
  ada: person("Ada@Example.com", { displayName: "Ada" }),
  olga: person("olga@example.com"),
  vera: person("vera@example.com"),
  dev: person("dev@example.com"),
  eve: person("eve@example.com"),
  root: person("root@example.com", { platformRole: "admin" }),
  watcher: person("watcher@example.com", { platformRole: "viewer" }),
};

let served: Served;

beforeAll(async () => {
  served = await startServed("server-clusters-teams", people);
  const { cluster } = served;
  await bindPlatform(cluster);
  for (const team of ["payments", "billing"]) {
    await cluster.createNamespace(team);
    await bindTeam(cluster, team);
  }
  const access = {
    users: [
      { name: "ada@example.com", role: "admin" },
      { name: "olga@example.com", role: "operator" },
      { name: "vera@example.com", role: "viewer" },
      { name: "dev@example.com", role: "viewer" },
    ],
  };
  const environments = [
    { name: "dev", access: { users: [{ name: "dev@example.com", role: "operator" }] } },
    { name: "prod" },
  ];
  const { client } = cluster;
  const ofPayments = { access, environments, resourceLimits: { maxClusters: 3 } };
  await client.create(Team, newObject(Team, { name: "payments" }, { spec: ofPayments }));
  const ofBilling = { access: { users: [{ name: "eve@example.com", role: "admin" }] } };
  await client.create(Team, newObject(Team, { name: "billing" }, { spec: ofBilling }));
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": "{}" };
  const ledger = { name: "ledger", namespace: "billing", annotations };
  await client.create(TenantCluster, newObject(TenantCluster, ledger, { spec: { teamRef: { name: "billing" } } }));
  await eventually(() => served.server.state.teams.size === 2 && served.server.state.clusters.size === 1);
});

afterAll(() => served?.stop());

const shop = { namespace: "payments", name: "shop" };
const refusal = (code: string, rest: object = {}) => ({ code, ...rest });

describe("who is signed in", () => {
  it("is resolved from the current teams", async () => {
    expect(await served.as("ada").call(getMe, {})).toEqual({
      email: "Ada@Example.com",
      name: "Ada",
      teams: [{ name: "payments", role: "admin" }],
      isPlatformAdmin: false,
    });
    await expect(served.as("nobody").call(getMe, {})).rejects.toMatchObject(
      refusal("UNAUTHENTICATED", { httpStatus: 401 }),
    );
  });
});

describe("clusters", () => {
  it("are created by operators, in their team's namespace, as the user", async () => {
    const made = await served
      .as("olga")
      .call(createCluster, { body: { name: "shop", teamRef: "payments", environment: "dev", workerReplicas: 2 } });
    expect(made).toMatchObject({
      metadata: { ...shop, labels: { "butler.butlerlabs.dev/environment": "dev" } },
      spec: { teamRef: { name: "payments" }, workers: { replicas: 2 } },
    });
    expect(made.metadata.annotations).toEqual({ "butler.butlerlabs.dev/creator-email": "olga@example.com" });
    expect(JSON.stringify(made)).not.toContain("managedFields");
    // Users read their own writes, regardless of the state of the watch.
    expect(await served.as("olga").call(getCluster, { params: shop })).toMatchObject({
      metadata: { uid: made.metadata.uid },
    });
    expect(served.records.at(-1)).toMatchObject({
      user: "olga@example.com",
      action: "create",
      resourceType: "TenantCluster",
      resourceName: "shop",
      resourceNamespace: "payments",
      teamRef: "payments",
      statusCode: 201,
      success: true,
      fields: ["name", "teamRef", "environment", "workerReplicas"],
    });
  });

  it("are rejected for viewers, for strangers, in other namespaces and if they exist", async () => {
    const create = (who: string, body: { name: string; teamRef?: string; namespace?: string; environment?: string }) =>
      served.as(who).call(createCluster, { body });
    await expect(create("vera", { name: "x", teamRef: "payments" })).rejects.toMatchObject(refusal("FORBIDDEN"));
    await expect(create("watcher", { name: "x", teamRef: "payments" })).rejects.toMatchObject(refusal("FORBIDDEN"));
    await expect(create("eve", { name: "x", teamRef: "payments" })).rejects.toMatchObject(refusal("NOT_FOUND"));
    await expect(create("eve", { name: "x" })).rejects.toMatchObject(refusal("FORBIDDEN"));
    await expect(create("olga", { name: "x", teamRef: "payments", namespace: "billing" })).rejects.toMatchObject(
      refusal("INVALID", { problem: { field: "namespace" } }),
    );
    await expect(create("olga", { name: "shop", teamRef: "payments" })).rejects.toMatchObject(
      refusal("ALREADY_EXISTS"),
    );
    await expect(create("olga", { name: "Shop!", teamRef: "payments" })).rejects.toMatchObject(
      refusal("INVALID", { problem: { field: "name" } }),
    );
    expect(served.server.state.clusters.size).toBe(2);
  });

  it("are denied by Kubernetes RBAC even if the server would allow the request", async () => {
    // The user has the role in the team, but not the permission in the namespace: RBAC decides.
    const { client } = served.cluster;
    const access = { users: [{ name: "olga@example.com", role: "admin" }] };
    await client.create(Team, newObject(Team, { name: "unbound" }, { spec: { access } }));
    await served.cluster.createNamespace("unbound");
    await eventually(() => served.server.state.teams.get({ name: "unbound" }));
    const attempt = served.as("olga").call(createCluster, { body: { name: "x", teamRef: "unbound" } });
    await expect(attempt).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining('User "olga@example.com" cannot create resource "tenantclusters"') as string,
    });
    expect(served.records.at(-1)).toMatchObject({ success: false, code: "FORBIDDEN", teamRef: "unbound" });
    await client.delete(Team, { name: "unbound" });
  });

  it("applies a role in an environment to that environment only", async () => {
    const body = (environment: string) => ({ name: `dev-${environment}`, teamRef: "payments", environment });
    await expect(served.as("dev").call(planCluster, { body: body("prod") })).rejects.toMatchObject(
      refusal("FORBIDDEN"),
    );
    expect(await served.as("dev").call(planCluster, { body: body("dev") })).toMatchObject({ isAccepted: true });
    expect(await served.as("dev").call(scaleCluster, { params: shop, body: { replicas: 3 } })).toMatchObject({
      spec: { workers: { replicas: 3 } },
    });
  });

  it("are visible to their team and platform roles, and not found for others", async () => {
    const names = async (who: string, query = {}) =>
      (await served.as(who).call(listClusters, { query })).clusters.map(({ metadata }) => metadata.name);
    expect(await names("vera")).toEqual(["shop"]);
    expect(await names("eve")).toEqual(["ledger"]);
    expect(await names("watcher")).toEqual(["ledger", "shop"]);
    expect(await names("vera", { team: "billing" })).toEqual([]);
    expect(await names("root", { sort: "-name", search: "PAYMENTS dev" })).toEqual(["shop"]);
    await expect(served.as("eve").call(getCluster, { params: shop })).rejects.toMatchObject(refusal("NOT_FOUND"));
    await expect(served.as("eve").call(deleteCluster, { params: shop })).rejects.toMatchObject(refusal("NOT_FOUND"));
    const ledger = await served.as("eve").call(getCluster, { params: { namespace: "billing", name: "ledger" } });
    expect(JSON.stringify(ledger)).not.toContain("last-applied");
  });

  it("can be planned without being created, with every limit and rejection", async () => {
    const plan = await served.as("olga").call(planCluster, {
      body: {
        name: "huge",
        teamRef: "payments",
        workerReplicas: 4,
        workerCPU: 2,
        workerMemory: "4Gi",
        workerDiskSize: "10Gi",
      },
    });
    expect(plan).toMatchObject({
      isAccepted: true,
      usage: { nodes: 4, cpu: "8", memory: "16Gi", storage: "40Gi" },
      exceeded: [],
    });
    const wrong = await served.as("olga").call(planCluster, {
      body: {
        name: "huge",
        teamRef: "payments",
        spec: { networking: { podCIDR: "10.0.0.0/8", serviceCIDR: "10.0.0.0/12" } },
      },
    });
    expect(wrong).toMatchObject({
      isAccepted: false,
      refusals: [{ field: "spec.networking", message: expect.stringContaining("must not overlap") as string }],
    });
    expect(served.server.state.clusters.get({ namespace: "payments", name: "huge" })).toBeUndefined();
  });

  it("are changed only at the given resource version", async () => {
    const olga = served.as("olga");
    const seen = await olga.call(getCluster, { params: shop });
    const changed = await olga.call(updateCluster, {
      params: shop,
      body: { resourceVersion: seen.metadata.resourceVersion, workers: { replicas: 4 } },
    });
    expect(changed.spec.workers.replicas).toBe(4);
    const late = olga.call(updateCluster, {
      params: shop,
      body: { resourceVersion: seen.metadata.resourceVersion, workers: { replicas: 9 } },
    });
    await expect(late).rejects.toMatchObject(refusal("CONFLICT", { httpStatus: 409 }));
    await expect(
      olga.call(updateCluster, { params: shop, body: { spec: { teamRef: { name: "billing" } } } }),
    ).rejects.toMatchObject(refusal("INVALID"));
    await expect(olga.call(updateCluster, { params: shop, body: { spec: { nonsense: 1 } } })).rejects.toMatchObject(
      refusal("INVALID", { problem: { field: "spec.nonsense", reason: "UNKNOWN_FIELD" } }),
    );
    await expect(olga.call(upgradeCluster, { params: shop, body: { version: "v1.99.0" } })).rejects.toMatchObject(
      refusal("INVALID"),
    );
    expect(await olga.call(upgradeCluster, { params: shop, body: { version: "v1.34.1" } })).toMatchObject({
      spec: { kubernetesVersion: "v1.34.1" },
    });
    const moved = await olga.call(moveCluster, { params: shop, body: { environment: "prod" } });
    expect(moved.metadata.labels).toEqual({ "butler.butlerlabs.dev/environment": "prod" });
    expect(await olga.call(whyCluster, { params: shop })).toMatchObject({ state: "busy" });
  });

  it("are listed page by page, each once", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await served.as("root").call(listClusters, { query: { limit: 1, ...(cursor && { cursor }) } });
      expect(page.total).toBe(2);
      seen.push(...page.clusters.map(({ metadata }) => metadata.name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(["ledger", "shop"]);
    await expect(served.as("root").call(listClusters, { query: { cursor: "x" } })).rejects.toMatchObject(
      refusal("INVALID"),
    );
    await expect(served.as("root").call(listClusters, { query: { limit: 501 } })).rejects.toMatchObject(
      refusal("INVALID"),
    );
  });

  it("are deleted as the user", async () => {
    await expect(served.as("vera").call(deleteCluster, { params: shop })).rejects.toMatchObject(refusal("FORBIDDEN"));
    await served.as("ada").call(deleteCluster, { params: shop });
    await eventually(() => served.server.state.clusters.get(shop) === undefined);
  });
});

describe("teams", () => {
  const payments = { team: "payments" };

  it("are visible to their members", async () => {
    const names = async (who: string) =>
      (await served.as(who).call(listTeams, {})).teams.map(({ name, role }) => [name, role]);
    expect(await names("vera")).toEqual([["payments", "viewer"]]);
    expect(await names("watcher")).toEqual([
      ["billing", undefined],
      ["payments", undefined],
    ]);
    await expect(served.as("eve").call(getTeam, { params: payments })).rejects.toMatchObject(refusal("NOT_FOUND"));
    expect(await served.as("vera").call(getTeamUsage, { params: payments })).toMatchObject({
      clusters: 0,
      status: "OK",
    });
  });

  it("are created and deleted by platform administrators", async () => {
    await expect(served.as("ada").call(createTeam, { body: { name: "mine" } })).rejects.toMatchObject(
      refusal("FORBIDDEN"),
    );
    expect(await served.as("root").call(createTeam, { body: { name: "mine", displayName: "Mine" } })).toMatchObject({
      displayName: "Mine",
    });
    await expect(served.as("root").call(createTeam, { body: { name: "mine" } })).rejects.toMatchObject(
      refusal("ALREADY_EXISTS"),
    );
    await expect(served.as("root").call(deleteTeam, { params: { team: "billing" } })).rejects.toMatchObject(
      refusal("CONFLICT"),
    );
    await served.as("root").call(deleteTeam, { params: { team: "mine" } });
    await eventually(() => served.server.state.teams.get({ name: "mine" }) === undefined);
  });

  it("are updated by their admins, who can clear texts", async () => {
    await expect(
      served.as("olga").call(updateTeam, { params: payments, body: { displayName: "x" } }),
    ).rejects.toMatchObject(refusal("FORBIDDEN"));
    const ada = served.as("ada");
    expect(
      await ada.call(updateTeam, { params: payments, body: { displayName: "Pay", description: "Money" } }),
    ).toMatchObject({ displayName: "Pay" });
    const cleared = await ada.call(updateTeam, {
      params: payments,
      body: { description: "", resourceLimits: { defaultNodeCount: 2 } },
    });
    expect(cleared).toMatchObject({ displayName: "Pay", description: "", resourceLimits: { defaultNodeCount: 2 } });
    expect(cleared.resourceLimits).not.toHaveProperty("maxClusters");
  });

  it("add and remove members, effective with the next request", async () => {
    const ada = served.as("ada");
    const eve = served.as("eve");
    await ada.call(addMember, { params: payments, body: { email: "Eve@example.com", role: "operator" } });
    expect(await eve.call(getTeam, { params: payments })).toMatchObject({ role: "operator" });
    await expect(ada.call(addMember, { params: payments, body: { email: "eve@example.com" } })).rejects.toMatchObject(
      refusal("ALREADY_EXISTS"),
    );
    await ada.call(changeMember, { params: { ...payments, email: "eve@example.com" }, body: { role: "viewer" } });
    expect(
      (await ada.call(listMembers, { params: payments, query: { role: "viewer" } })).members.map(({ email }) => email),
    ).toEqual(["dev@example.com", "eve@example.com", "vera@example.com"]);
    await ada.call(removeMember, { params: { ...payments, email: "eve@example.com" } });
    await expect(eve.call(getTeam, { params: payments })).rejects.toMatchObject(refusal("NOT_FOUND"));
    await expect(ada.call(removeMember, { params: { ...payments, email: "ada@example.com" } })).rejects.toMatchObject(
      refusal("CONFLICT"),
    );
  });

  it("have environments", async () => {
    const ada = served.as("ada");
    await ada.call(createEnvironment, { params: payments, body: { name: "stage", limits: { maxClusters: 1 } } });
    expect((await ada.call(getTeam, { params: payments })).environments.map(({ name }) => name)).toEqual([
      "dev",
      "prod",
      "stage",
    ]);
    await expect(ada.call(createEnvironment, { params: payments, body: { name: "Stage" } })).rejects.toMatchObject(
      refusal("ALREADY_EXISTS"),
    );
    await ada.call(deleteEnvironment, { params: { ...payments, environment: "stage" } });
    await expect(ada.call(deleteEnvironment, { params: { ...payments, environment: "stage" } })).rejects.toMatchObject(
      refusal("NOT_FOUND"),
    );
  });
});

describe("the protocol", () => {
  it("returns problems for all kinds of invalid requests", async () => {
    const post = (token: string | undefined, body: string, headers: Record<string, string> = {}) =>
      served.request(token, "/api/clusters", {
        method: "POST",
        body,
        headers: { "content-type": "application/json", ...headers },
      });
    const codeOf = async (response: Promise<Response>) => {
      const answer = await response;
      expect(answer.headers.get("content-type")).toContain("application/problem+json");
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    expect(await codeOf(served.request(undefined, "/api/clusters"))).toEqual([401, "UNAUTHENTICATED"]);
    expect(await codeOf(served.request("ada", "/api/nowhere"))).toEqual([404, "NOT_FOUND"]);
    expect(await codeOf(served.request("ada", "/api/clusters", { method: "DELETE" }))).toEqual([
      405,
      "METHOD_NOT_ALLOWED",
    ]);
    expect(await codeOf(post("ada", "{"))).toEqual([400, "INVALID"]);
    expect(await codeOf(post("ada", `{"a":${"[".repeat(40)}${"]".repeat(40)}}`))).toEqual([400, "INVALID"]);
    expect(await codeOf(post("ada", '{"__proto__":{}}'))).toEqual([400, "INVALID"]);
    expect(await codeOf(post("ada", JSON.stringify({ name: "x", more: 1 })))).toEqual([400, "INVALID"]);
    expect(await codeOf(post("ada", `"${"x".repeat(300_000)}"`))).toEqual([413, "BODY_TOO_LARGE"]);
    expect(await codeOf(post("ada", "a=b", { "content-type": "application/x-www-form-urlencoded" }))).toEqual([
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ]);
    expect(await codeOf(post("ada", "{}", { "x-butler-csrf": "wrong" }))).toEqual([403, "CSRF_FAILED"]);
    // The order of the checks does not reveal the body's schema.
    expect(await codeOf(post(undefined, "{"))).toEqual([401, "UNAUTHENTICATED"]);
  });

  it("forwards no impersonation headers", async () => {
    const answer = await served.request("vera", "/api/clusters", {
      method: "POST",
      body: JSON.stringify({ name: "x", teamRef: "payments" }),
      headers: {
        "content-type": "application/json",
        "Impersonate-User": "root@example.com",
        "Impersonate-Group": "system:masters",
        "X-Butler-User-Email": "root@example.com",
      },
    });
    expect(answer.status).toBe(403);
  });

  it("returns 304 for unchanged content, and compresses large responses", async () => {
    const packed = await served.request(undefined, "/api/openapi.json", { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    const first = await served.request("root", "/api/clusters");
    const etag = first.headers.get("etag") ?? "";
    expect((await first.json()) as object).toHaveProperty("clusters");
    expect((await served.request("root", "/api/clusters", { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await served.request("vera", "/api/clusters", { headers: { "if-none-match": etag } })).status).toBe(200);
  });

  it("acknowledges no write that could not be audited", async () => {
    served.faults.audit = true;
    const attempt = served.as("ada").call(updateTeam, { params: { team: "payments" }, body: { displayName: "y" } });
    await expect(attempt).rejects.toMatchObject(refusal("UNAVAILABLE"));
    served.faults.audit = false;
  });

  it("serves its documents, health and readiness publicly", async () => {
    for (const path of ["/healthz", "/readyz", "/api/version", "/api/docs"])
      expect((await served.request(undefined, path)).status).toBe(200);
    const document = (await (await served.request(undefined, "/api/openapi.json")).json()) as { openapi: string };
    expect(document.openapi).toBe("3.1.0");
  });
});
