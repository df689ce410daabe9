import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TenantCluster } from "@butler/api";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import { KubectlCalls } from "./lib/kubectl-calls.ts";
import { PersonAtServer } from "./lib/person-at-server.ts";
import { logInAtCommandLine } from "./lib/command-line-login.ts";
import type { TenantClusters } from "./lib/tenant-clusters.ts";

const minutes = 60_000;
const team = "demo-team";
const email = "mary@example.com";
const password = "a password that is hard to guess";

let platform: EngineWithButler;
let clusters: TenantClusters;
let server: string;
let directory: string;
let root: PersonAtServer;
let mary: PersonAtServer;

/** Time until the start of the first successful attempt; the duration of attempts is not included. */
async function millisecondsUntil(isSo: () => Promise<boolean> | boolean, what: string): Promise<number> {
  const startedAt = performance.now();
  let tryAt = startedAt;
  const isSoNow = (): Promise<boolean> | boolean => {
    tryAt = performance.now();
    return isSo();
  };
  await eventually(isSoNow, { timeoutMs: 20_000, intervalMs: 20, what });
  return Math.round(tryAt - startedAt);
}

describe.runIf(canHostEngine)("Butler's server", { timeout: 8 * minutes }, () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "butler-server-e2e-"));
    platform = await EngineWithButler.shared("platform");
    server = `http://${await platform.nodeAddress()}:30080`;
    [root, mary] = [new PersonAtServer(server), new PersonAtServer(server)];
    clusters = await platform.exampleTeam();
    await clusters.create("shop");
    const rollout = ["rollout", "status", "deployment/butler-server"];
    await platform.kubectl.run(...rollout, "-n", "butler-system", "--timeout=120s");
  }, 10 * minutes);

  afterEach(() => mary.leave());
  afterAll(async () => {
    await platform?.leave();
    await rm(directory, { recursive: true, force: true });
  }, 3 * minutes);

  it("shows unauthenticated clients what it is, and nothing else", async () => {
    const stranger = new PersonAtServer(server);
    expect((await stranger.ask("GET", "/api/openapi.json")).body).toMatchObject({ openapi: "3.1.0" });
    expect(await stranger.ask("GET", "/api/clusters")).toMatchObject({
      status: 401,
      body: { code: "UNAUTHENTICATED" },
    });
  });

  it("creates the first administrator once, with the token of the installation", async () => {
    const token = await platform.setupToken();
    const administrator = { email: "root@example.com", password };
    await root.did("POST", "/api/auth/setup", { token, ...administrator });
    const again = await new PersonAtServer(server).ask("POST", "/api/auth/setup", { token, ...administrator });
    expect(again.status).toBe(410);
    expect(await root.did("GET", "/api/auth/me")).toMatchObject({ email: "root@example.com" });
  });

  it("lets an invited user view and change the objects of their team", async () => {
    const { inviteUrl } = await root.did("POST", "/api/admin/users", { email, displayName: "Mary" });
    await mary.did("POST", "/api/auth/set-password", { token: String(inviteUrl).split("/").at(-1), password });
    expect(await mary.ask("GET", `/api/clusters/${team}/shop`)).toMatchObject({ status: 404 });
    await root.did("POST", `/api/teams/${team}/members`, { email, role: "operator" });
    await eventually(async () => (await mary.ask("GET", `/api/clusters/${team}/shop`)).status === 200);

    // A new user's requests are answered with 503 until the controller has set up their Kubernetes permissions.
    const wanted = { name: "hers", teamRef: team, workerReplicas: 1 };
    const answer = await eventually(async () => {
      const { status } = await mary.ask("POST", "/api/clusters", wanted);
      return status === 503 ? undefined : { status };
    });
    expect(answer.status).toBeLessThan(300);
    const made = JSON.parse(
      await platform.kubectl.run("get", "tenantcluster", "hers", "-n", team, "-o", "json"),
    ) as TenantCluster;
    expect(JSON.stringify(made.metadata.annotations)).toContain(email);
    await mary.did("DELETE", `/api/clusters/${team}/hers`);
  });

  it("audits every change, and the audit log verifies", async () => {
    const { entries } = (await root.did("GET", "/api/admin/audit?limit=100")) as { entries: Record<string, unknown>[] };
    const deeds = entries.map(({ user, action, resourceType, success }) => ({ user, action, resourceType, success }));
    expect(deeds).toContainEqual({ user: email, action: "create", resourceType: "TenantCluster", success: true });
    expect(JSON.stringify(entries)).not.toContain(password);
    expect(await root.did("GET", "/api/admin/audit/verify")).toMatchObject({ isIntact: true });
  });

  it("shows nodes and certificates of a cluster, and runs kubectl in a terminal", async () => {
    await clusters.settled("shop");
    const { nodes } = (await mary.did("GET", `/api/clusters/${team}/shop/nodes`)) as { nodes: { name: string }[] };
    expect(nodes).toHaveLength(1);
    const certificates = await mary.did("GET", `/api/clusters/${team}/shop/certificates`);
    expect(certificates).toMatchObject({ clusterName: "shop", overallHealth: "Healthy" });
    const terminal = await mary.terminal(`${team}/shop`, "kubectl get nodes -o name && kubectl auth whoami");
    await eventually(() => terminal.shown.includes(`node/${nodes[0]?.name}`), {
      timeoutMs: 60_000,
      what: () => `the node in ${JSON.stringify(terminal.shown)}`,
    });
  });

  it("denies everything within a second once a member is removed from their team", async () => {
    const { kubeconfig, pendingCode } = await logInAtCommandLine({ server, approver: mary, directory });
    const atCommandLine = new KubectlCalls(kubeconfig);
    await eventually(async () => (await atCommandLine.run("get", "tenantclusters", "-n", team)).includes("shop"));
    const followed = mary.followClusters();
    await eventually(() => followed.names().includes(`${team}/shop`), { what: () => followed.names().join(", ") });
    const terminal = await mary.terminal(`${team}/shop`, "echo it is $((6 * 7))");
    await eventually(() => terminal.shown.includes("it is 42"), { timeoutMs: 60_000, what: () => terminal.shown });

    await root.did("DELETE", `/api/teams/${team}/members/${email}`);
    const isRefused = async (call: Promise<string>): Promise<boolean> =>
      call.then(
        () => false,
        (error: unknown) => /forbidden/i.test(String(error)),
      );
    const took = Object.fromEntries(
      await Promise.all(
        Object.entries({
          request: async () => (await mary.ask("GET", `/api/clusters/${team}/shop`)).status === 404,
          "live channel": () => followed.names().length === 0,
          terminal: () => terminal.closed !== undefined,
          kubeconfig: () => isRefused(atCommandLine.run("get", "tenantclusters", "-n", team)),
          "device code": async () => (await pendingCode()).body["error"] === "access_denied",
        }).map(async ([what, isSo]) => [what, await millisecondsUntil(isSo, what)] as const),
      ),
    );
    console.log(`refused after the removal, in ms: ${JSON.stringify(took)}`);
    expect(Object.entries(took).filter(([, milliseconds]) => milliseconds > 1_000)).toEqual([]);
    expect(terminal.closed).toBe(1008);
  });
});
