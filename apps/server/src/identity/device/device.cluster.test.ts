import { readFile } from "node:fs/promises";
import { teamNamespaceRules } from "@butler/access";
import { allResources, namespaces, Team, type TeamRole, TenantCluster, User } from "@butler/api";
import {
  approveDevice,
  type Client,
  createClient,
  denyDevice,
  endCliLogin,
  getMe,
  listCliLogins,
  refreshCli,
  revokeCli,
  showDevice,
  startDevice,
  takeDeviceToken,
} from "@butler/contract";
import { type ApiClient, connect, KubeConfig } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { Forbidden, isRecord, Unauthenticated } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createCliSignIn } from "../cli-access/cli-sign-in.ts";
import { newObject } from "../../handlers/writing.ts";
import { cliAccountRules, cliClusterRules, serverSystemRules } from "../../permissions.ts";
import type { AuditRecord, SignedIn } from "../../ports.ts";
import { type RunningServer, startServer } from "../../start-server.ts";
import { ServerState } from "../../state/state.ts";
import { bindGroup } from "../../testing/served.ts";

const { Namespace, Role, RoleBinding, Secret, ServiceAccount, ConfigMap } = builtinKinds;
const ada: SignedIn = { person: { email: "ada@example.com", groups: [] }, displayName: "Ada" };
const eve: SignedIn = { person: { email: "eve@example.com", groups: [] } };
const browsers: Readonly<Record<string, SignedIn>> = { ada, eve };

/** One replica of the server, with its own caches and memory. */
interface Replica {
  readonly server: RunningServer;
  readonly over: AbortController;
  readonly state: ServerState;
}

let cluster: TestCluster;
/** The server's own permissions, and nothing else. */
let limited: ApiClient;
let kubernetes: { server: string; caPem: string };
const clock = { offsetMs: 0 };
const records: AuditRecord[] = [];
const replicas: Replica[] = [];
const closing: (() => Promise<void>)[] = [];
const atEnd: (() => Promise<void>)[] = [];

/** The clock can be advanced; timers use the real clock. */
const movedClock = {
  now: () => new Date(Date.now() + clock.offsetMs),
  monotonicMs: () => performance.now() + clock.offsetMs,
  after: (delayMs: number, run: () => void) => {
    const handle = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
};

async function startReplica(): Promise<Replica> {
  const client = limited;
  const state = new ServerState(client);
  const over = new AbortController();
  const audit = { commit: (record: AuditRecord) => Promise.resolve(void records.push(record)) };
  const cli = createCliSignIn({
    client,
    state,
    audit,
    clock: movedClock,
    logger: silentLogger,
    kubernetes,
    groups: { canAsk: () => false, ask: (user) => Promise.resolve(user) },
    publicUrl: "https://butler.example.com/",
  });
  await state.start(over.signal);
  cli.start(over.signal);
  const server = await startServer({
    client,
    state,
    audit,
    clock: movedClock,
    port: 0,
    authenticate: async (request) => {
      const { authorization } = request.headers;
      const browser = typeof authorization === "string" ? browsers[authorization.replace("Browser ", "")] : undefined;
      return browser ?? cli.authenticate(request);
    },
    checkCsrf: cli.checkCsrf(({ headers }) => headers["x-butler-csrf"] === "right"),
    tenants: { clientFor: () => Promise.reject(new Error("no tenants here")) },
    handlers: () => cli.handlers,
    rateLimits: { normal: { burst: 10_000, perSecond: 10_000 }, strict: { burst: 1_000, perSecond: 1_000 } },
    checkAnswers: true,
  });
  const replica = { server, over, state };
  replicas.push(replica);
  return replica;
}

async function stopReplica({ server, over, state }: Replica): Promise<void> {
  await server.close();
  over.abort();
  await state.caches.stopped();
}

const nobody = ({ server }: Replica): Client => createClient({ baseUrl: server.url });
const inBrowser = ({ server }: Replica, who: string): Client =>
  createClient({
    baseUrl: server.url,
    headers: () => ({ authorization: `Browser ${who}`, "x-butler-csrf": "right" }),
  });
const withToken = ({ server }: Replica, token: string): Client =>
  createClient({ baseUrl: server.url, headers: () => ({ authorization: `Bearer ${token}` }) });

/** The Kubernetes API with the kubeconfig of a command line. */
function kubernetesWith(kubeconfig: string): ApiClient {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const connected = connect(config);
  closing.push(connected.close);
  return connected.client;
}

async function give(role: TeamRole | undefined): Promise<void> {
  const users = role === undefined ? [] : [{ name: "ada@example.com", role }];
  await cluster.client.patch(Team, { name: "payments" }, { type: "merge", patch: { spec: { access: { users } } } });
}

/** Starts, approves and fetches a sign-in, on the given replicas in turn. */
async function signIn(replica: Replica, others: readonly Replica[] = []) {
  const [second = replica, third = replica] = others;
  const codes = await nobody(replica).call(startDevice, { body: { client_name: "butlerctl on test" } });
  await inBrowser(second, "ada").call(approveDevice, { body: { user_code: codes.user_code } });
  const answer = await nobody(third).call(takeDeviceToken, { body: { device_code: codes.device_code } });
  return { codes, answer };
}

const codeOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => "done",
    (error: { code: string }) => error.code,
  );

async function readAddress(): Promise<{ server: string; caPem: string }> {
  const config = new KubeConfig();
  config.loadFromString(await readFile(cluster.controlPlane.kubeconfigPath, "utf8"));
  const { server = "", caData = "" } = config.getCurrentCluster() ?? {};
  return { server, caPem: Buffer.from(caData, "base64").toString() };
}

beforeAll(async () => {
  cluster = await aTestCluster({ resources: allResources });
  const { client } = cluster;
  kubernetes = await readAddress();
  const own = [namespaces.system, namespaces.cli, namespaces.cliAdmins];
  for (const name of [...own, "payments", "shop-11111111"]) await cluster.createNamespace(name);
  limited = await limitedClient();
  for (const namespace of ["payments", "shop-11111111"]) {
    for (const role of ["viewer", "operator", "admin"] as const) {
      const rules = teamNamespaceRules(role);
      await client.create(Role, newObject(Role, { name: `butler-team-${role}`, namespace }, { rules }));
    }
  }
  await client.create(Team, newObject(Team, { name: "payments" }, { spec: {} }));
  const spec = { email: "ada@example.com" };
  await client.create(User, newObject(User, { name: "ada" }, { spec }));
  await client.create(User, newObject(User, { name: "eve" }, { spec: { email: "eve@example.com" } }));
  await client.create(
    TenantCluster,
    newObject(TenantCluster, { name: "shop", namespace: "payments" }, { spec: clusterSpec }),
  );
  const status = { tenantNamespace: "shop-11111111" };
  const key = { name: "shop", namespace: "payments" };
  await client.patch(TenantCluster, key, { type: "merge", subresource: "status", patch: { status } });
});

async function limitedClient(): Promise<ApiClient> {
  const group = "butler:server";
  const follow = ["get", "list", "watch"];
  const reads = [
    { apiGroups: ["butler.butlerlabs.dev", "steward.butlerlabs.dev"], resources: ["*"], verbs: follow },
    { apiGroups: [""], resources: ["events"], verbs: follow },
  ];
  const { client, controlPlane } = cluster;
  await bindGroup(client, { metadata: { name: "server" }, group, rules: [...reads, ...cliClusterRules] });
  const own = { name: "server", namespace: namespaces.system };
  await bindGroup(client, { metadata: own, group, rules: serverSystemRules });
  for (const namespace of [namespaces.cli, namespaces.cliAdmins])
    await bindGroup(client, { metadata: { name: "server", namespace }, group, rules: cliAccountRules });
  const { kubeconfig } = await controlPlane.issueClientCertificate({ user: "butler-server", groups: [group] });
  const config = new KubeConfig();
  config.loadFromString(JSON.stringify(kubeconfig));
  const connected = connect(config);
  atEnd.push(connected.close);
  return connected.client;
}

const clusterSpec = {
  kubernetesVersion: "v1.34.1",
  providerConfigRef: { name: "local" },
  teamRef: { name: "payments" },
  workers: { replicas: 1 },
};

const byAccount = { labelSelector: "butler.butlerlabs.dev/cli-account" };
const accounts = async (): Promise<number> => (await cluster.client.list(ServiceAccount, byAccount)).items.length;
const bindings = async (): Promise<number> => (await cluster.client.list(RoleBinding, byAccount)).items.length;

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  const selector = { namespace: namespaces.system, labelSelector: "butler.butlerlabs.dev/record" };
  for (const { metadata } of (await cluster.client.list(Secret, selector)).items) {
    await cluster.client.delete(Secret, { name: metadata.name, namespace: metadata.namespace });
  }
  // The end of the last sign-in removes everything created for it.
  await eventually(async () => (await accounts()) + (await bindings()) === 0, { timeoutMs: 10_000, what: "nothing" });
  for (const replica of replicas.splice(0)) await stopReplica(replica);
  clock.offsetMs = 0;
  records.length = 0;
});
afterAll(async () => {
  for (const close of atEnd) await close();
  await cluster?.stop();
});

describe("a sign-in from a command line", () => {
  it("works across replicas, grants exactly the user's roles, and works once", async () => {
    await give("operator");
    const all = [await startReplica(), await startReplica()] as const;
    const { codes, answer } = await signIn(all[0], [all[1], all[0]]);
    expect(codes.verification_uri_complete).toBe(`https://butler.example.com/auth/device?user_code=${codes.user_code}`);
    expect(await codeOf(nobody(all[1]).call(takeDeviceToken, { body: { device_code: codes.device_code } }))).toBe(
      "EXPIRED_TOKEN",
    );
    const person = kubernetesWith(answer.kubeconfig);
    expect((await person.list(TenantCluster, { namespace: "payments" })).items).toHaveLength(1);
    expect((await person.list(TenantCluster, { namespace: "shop-11111111" })).items).toEqual([]);
    await expect(person.list(Secret, { namespace: "payments" })).rejects.toBeInstanceOf(Forbidden);
    await expect(person.list(Secret, { namespace: namespaces.system })).rejects.toBeInstanceOf(Forbidden);
    await expect(person.list(Namespace)).rejects.toBeInstanceOf(Forbidden);
    await expect(person.list(ConfigMap, { namespace: "payments" })).rejects.toBeInstanceOf(Forbidden);
    for (const replica of all) {
      expect(await withToken(replica, answer.access_token).call(getMe, {})).toMatchObject({
        email: "ada@example.com",
        teams: [{ name: "payments", role: "operator" }],
      });
    }
    expect(records.map(({ action, user }) => `${action} ${user}`)).toEqual([
      "approve-login ada@example.com",
      "login ada@example.com",
    ]);
    expect(JSON.stringify(records)).not.toContain(codes.user_code);
  });

  it("survives a restart of all replicas while it is pending", async () => {
    await give("viewer");
    const first = await startReplica();
    const codes = await nobody(first).call(startDevice, { body: {} });
    await stopReplica(replicas.splice(0)[0] ?? first);
    const second = await startReplica();
    await inBrowser(second, "ada").call(approveDevice, { body: { user_code: codes.user_code.toLowerCase() } });
    await stopReplica(replicas.splice(0)[0] ?? second);
    const third = await startReplica();
    const answer = await nobody(third).call(takeDeviceToken, { body: { device_code: codes.device_code } });
    expect(answer.user.email).toBe("ada@example.com");
  });

  it("stores no readable secret", async () => {
    await give("viewer");
    const { codes, answer } = await signIn(await startReplica());
    const kept = (await cluster.client.list(Secret, { namespace: namespaces.system })).items
      .map(({ data }) => (isRecord(data) ? JSON.stringify(Object.values(data).map((text) => atob(String(text)))) : ""))
      .join();
    for (const secret of [codes.device_code, codes.user_code, answer.access_token, answer.refresh_token]) {
      expect(kept).not.toContain(secret.slice(-43));
    }
  });

  it("reports that it is pending, polled too often, or denied", async () => {
    const replica = await startReplica();
    const codes = await nobody(replica).call(startDevice, { body: { client_name: "x" } });
    const poll = () => codeOf(nobody(replica).call(takeDeviceToken, { body: { device_code: codes.device_code } }));
    expect([await poll(), await poll()]).toEqual(["AUTHORIZATION_PENDING", "SLOW_DOWN"]);
    const response = await fetch(`${replica.server.url}/api/auth/cli/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ device_code: codes.device_code }),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: "slow_down" }]);
    await inBrowser(replica, "ada").call(denyDevice, { body: { user_code: codes.user_code } });
    clock.offsetMs += 6_000;
    expect(await poll()).toBe("ACCESS_DENIED");
    clock.offsetMs += 6_000;
    expect(await poll()).toBe("EXPIRED_TOKEN");
  });

  it("shows the client and the requested roles, and never the device code", async () => {
    await give("admin");
    const replica = await startReplica();
    const codes = await nobody(replica).call(startDevice, { body: { client_name: "butlerctl on laptop" } });
    const shown = await inBrowser(replica, "ada").call(showDevice, { query: { user_code: codes.user_code } });
    expect(shown).toMatchObject({ clientName: "butlerctl on laptop", state: "pending", grants: ["payments: admin"] });
    expect(JSON.stringify(shown)).not.toContain(codes.device_code);
    expect(await codeOf(nobody(replica).call(showDevice, { query: { user_code: codes.user_code } }))).toBe(
      "UNAUTHENTICATED",
    );
  });

  it("cannot be guessed, approved twice, approved from another origin, or approved by a command line", async () => {
    await give("viewer");
    const replica = await startReplica();
    const { answer } = await signIn(replica);
    const codes = await nobody(replica).call(startDevice, { body: {} });
    const body = { user_code: codes.user_code };
    expect(await codeOf(withToken(replica, answer.access_token).call(approveDevice, { body }))).toBe("FORBIDDEN");
    const foreign = createClient({ baseUrl: replica.server.url, headers: () => ({ authorization: "Browser ada" }) });
    expect(await codeOf(foreign.call(approveDevice, { body }))).toBe("CSRF_FAILED");
    await inBrowser(replica, "ada").call(approveDevice, { body });
    expect(await codeOf(inBrowser(replica, "eve").call(approveDevice, { body }))).toBe("CONFLICT");
    const guess = () => codeOf(inBrowser(replica, "eve").call(showDevice, { query: { user_code: "BBBB-BBBB" } }));
    const guesses: unknown[] = [];
    for (let count = 0; count < 8; count++) guesses.push(await guess());
    expect(guesses.slice(0, 5)).toEqual(Array(5).fill("NOT_FOUND"));
    expect(guesses.at(-1)).toBe("RATE_LIMITED");
  });

  it("expires after ten minutes", async () => {
    const replica = await startReplica();
    const codes = await nobody(replica).call(startDevice, { body: {} });
    clock.offsetMs += 601_000;
    const body = { user_code: codes.user_code };
    expect(await codeOf(inBrowser(replica, "ada").call(approveDevice, { body }))).toBe("NOT_FOUND");
    expect(await codeOf(nobody(replica).call(takeDeviceToken, { body: { device_code: codes.device_code } }))).toBe(
      "EXPIRED_TOKEN",
    );
  });
});

describe("a removed role", () => {
  it("no longer applies to the kubeconfig, the server and pending codes within a second", async () => {
    await give("operator");
    const replica = await startReplica();
    await startReplica();
    const { answer } = await signIn(replica);
    const pending = await nobody(replica).call(startDevice, { body: {} });
    await inBrowser(replica, "ada").call(approveDevice, { body: { user_code: pending.user_code } });
    const person = kubernetesWith(answer.kubeconfig);
    await person.list(TenantCluster, { namespace: "payments" });
    await give(undefined);
    const since = performance.now();
    const refused = async (): Promise<boolean> =>
      (await codeOf(person.list(TenantCluster, { namespace: "payments" }))) === "FORBIDDEN";
    await eventually(refused, { timeoutMs: 5_000, what: "the end of the role" });
    expect(performance.now() - since).toBeLessThan(1_000);
    const teams = async () => (await withToken(replica, answer.access_token).call(getMe, {})).teams;
    await eventually(async () => (await teams()).length === 0, { timeoutMs: 1_000 });
    expect(await codeOf(nobody(replica).call(takeDeviceToken, { body: { device_code: pending.device_code } }))).toBe(
      "ACCESS_DENIED",
    );
  });

  it("is replaced by another without a lasting gap", async () => {
    await give("viewer");
    const replica = await startReplica();
    const { answer } = await signIn(replica);
    const person = kubernetesWith(answer.kubeconfig);
    await give("admin");
    await eventually(() => person.list(Secret, { namespace: "payments" }), { timeoutMs: 5_000 });
    const names = (await cluster.client.list(RoleBinding, { namespace: "payments" })).items.map(
      ({ roleRef }) => roleRef,
    );
    expect(names).toMatchObject([{ name: "butler-team-admin" }]);
  });

  it("is not restored by edits to the bindings", async () => {
    await give("viewer");
    const replica = await startReplica();
    await signIn(replica);
    const [binding] = (await cluster.client.list(RoleBinding, { namespace: "payments" })).items;
    const key = { name: binding?.metadata.name ?? "", namespace: "payments" };
    const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "eve@example.com" }];
    await cluster.client.patch(RoleBinding, key, { type: "merge", patch: { subjects } });
    await eventually(async () => {
      const { subjects: now } = await cluster.client.get(RoleBinding, key);
      return JSON.stringify(now).includes("ServiceAccount") && !JSON.stringify(now).includes("eve");
    });
  });
});

describe("the end of a sign-in", () => {
  it("by the user removes the account and its permissions", async () => {
    await give("operator");
    const replica = await startReplica();
    const { answer } = await signIn(replica);
    expect([await accounts(), await bindings()]).toEqual([1, 2]);
    await nobody(replica).call(revokeCli, { body: { refresh_token: answer.refresh_token } });
    await eventually(async () => (await accounts()) + (await bindings()) === 0, { timeoutMs: 3_000 });
    expect(await codeOf(withToken(replica, answer.access_token).call(getMe, {}))).toBe("UNAUTHENTICATED");
    await eventually(
      async () => {
        const error = await kubernetesWith(answer.kubeconfig)
          .list(TenantCluster, { namespace: "payments" })
          .catch((thrown: unknown) => thrown);
        return error instanceof Unauthenticated || error instanceof Forbidden;
      },
      { timeoutMs: 3_000 },
    );
    await nobody(replica).call(revokeCli, { body: { refresh_token: answer.refresh_token } });
  });

  it("follows when the account is disabled, and other users cannot list it", async () => {
    await give("operator");
    const replica = await startReplica();
    const { answer } = await signIn(replica);
    const own = await withToken(replica, answer.access_token).call(listCliLogins, {});
    expect(own.logins).toMatchObject([{ clientName: "butlerctl on test", isCurrent: true }]);
    expect((await inBrowser(replica, "eve").call(listCliLogins, {})).logins).toEqual([]);
    const params = { name: own.logins[0]?.id ?? "" };
    expect(await codeOf(inBrowser(replica, "eve").call(endCliLogin, { params }))).toBe("NOT_FOUND");
    await cluster.client.patch(User, { name: "ada" }, { type: "merge", patch: { spec: { disabled: true } } });
    try {
      await eventually(async () => (await accounts()) + (await bindings()) === 0, { timeoutMs: 3_000 });
      expect(await codeOf(withToken(replica, answer.access_token).call(getMe, {}))).toBe("UNAUTHENTICATED");
      const body = { refresh_token: answer.refresh_token };
      expect(await codeOf(nobody(replica).call(refreshCli, { body }))).toBe("INVALID_GRANT");
    } finally {
      await cluster.client.patch(User, { name: "ada" }, { type: "merge", patch: { spec: { disabled: false } } });
    }
  });

  it("follows the reuse of a refresh token", async () => {
    await give("viewer");
    const replica = await startReplica();
    const { answer: first } = await signIn(replica);
    const refresh = (token: string) => nobody(replica).call(refreshCli, { body: { refresh_token: token } });
    const second = await refresh(first.refresh_token);
    expect(await codeOf(refresh(first.refresh_token))).toBe("CONFLICT");
    expect(await codeOf(withToken(replica, first.access_token).call(getMe, {}))).toBe("UNAUTHENTICATED");
    expect(await codeOf(withToken(replica, second.access_token).call(getMe, {}))).toBe("done");
    clock.offsetMs += 11_000;
    expect(await codeOf(refresh(first.refresh_token))).toBe("INVALID_GRANT");
    expect(records.at(-1)).toMatchObject({ action: "refresh-login", user: "ada@example.com", success: false });
    expect(await codeOf(refresh(second.refresh_token))).toBe("INVALID_GRANT");
    expect(await codeOf(withToken(replica, second.access_token).call(getMe, {}))).toBe("UNAUTHENTICATED");
  });

  it("does not follow from concurrent exchanges of the same token, of which one succeeds", async () => {
    await give("viewer");
    const both = [await startReplica(), await startReplica()] as const;
    const { answer } = await signIn(both[0]);
    const body = { refresh_token: answer.refresh_token };
    const runs = Array.from({ length: 6 }, (_none, at) =>
      codeOf(nobody(both[at % 2] ?? both[0]).call(refreshCli, { body })),
    );
    const outcomes = await Promise.all(runs);
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "CONFLICT")).toHaveLength(5);
  });
});
