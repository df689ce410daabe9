import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { allResources, namespaces, Team, type TeamRole, TenantCluster } from "@butler/api";
import { type Client, createClient, openTerminal } from "@butler/contract";
import { type ApiClient, connect, KubeConfig } from "@butler/kube";
import { builtinKinds, type Kind } from "@butler/resource";
import { Forbidden, isRecord, Unavailable } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { newObject } from "../handlers/writing.ts";
import type { AuditRecord, SignedIn } from "../ports.ts";
import { type RunningServer, startServer } from "../start-server.ts";
import { ServerState } from "../state/state.ts";
import { terminalHandlers } from "./handlers.ts";
import { terminalLabel, terminalNamespace } from "./manifests.ts";
import { Terminals } from "./terminals.ts";
import { acceptTerminals } from "./upgrade.ts";

const { Pod, Secret, NetworkPolicy, ServiceAccount, ClusterRole, ClusterRoleBinding, ConfigMap, Namespace } =
  builtinKinds;
const origin = "https://butler.example.com";
const people: Record<string, SignedIn | undefined> = {
  ada: { person: { email: "ada@example.com", groups: [] }, sessionId: "session-of-ada" },
  eve: { person: { email: "eve@example.com", groups: [] }, sessionId: "session-of-eve" },
};
const params = { namespace: "payments", name: "shop" };
const time = { offsetMs: 0 };
const clock = {
  now: () => new Date(Date.now() + time.offsetMs),
  monotonicMs: () => performance.now(),
  after: (delayMs: number, run: () => void) => {
    const handle = setTimeout(run, Math.min(delayMs, 2_000_000_000));
    return { cancel: () => clearTimeout(handle) };
  },
};

let cluster: TestCluster;
let shell: WebSocketServer;
let server: RunningServer;
let terminals: Terminals;
let state: ServerState;
const over = new AbortController();
const records: AuditRecord[] = [];
const faults = { tenant: false };
const open: WebSocket[] = [];

const as = (who: string): Client =>
  createClient({ baseUrl: server.url, headers: () => ({ authorization: `Bearer ${who}` }) });

async function give(role: TeamRole | undefined): Promise<void> {
  const users = role === undefined ? [] : [{ name: "ada@example.com", role }];
  await cluster.client.patch(Team, { name: "payments" }, { type: "merge", patch: { spec: { access: { users } } } });
  await eventually(() => state.teams.get({ name: "payments" })?.spec.access?.users?.[0]?.role === role);
}

/** All objects of a terminal, in the management cluster and in the tenant. */
async function remains(): Promise<string[]> {
  const kinds: readonly Kind[] = [Pod, NetworkPolicy, ServiceAccount, ClusterRoleBinding, Secret];
  const found: string[] = [];
  for (const kind of kinds) {
    for (const { metadata } of (await cluster.client.list(kind, { labelSelector: terminalLabel })).items)
      found.push(`${kind.kind} ${metadata.name}`);
  }
  const kept = { namespace: namespaces.system, labelSelector: "butler.butlerlabs.dev/record=terminal" };
  for (const { metadata } of (await cluster.client.list(Secret, kept)).items) found.push(`record ${metadata.name}`);
  return found;
}

const cleared = (): Promise<boolean> =>
  eventually(async () => (await remains()).length === 0, { timeoutMs: 10_000, what: "an empty place" });

/** There is no kubelet here: the test sets the pod to Running. */
async function runPod(id: string): Promise<void> {
  const key = { name: `butler-terminal-${id}`, namespace: terminalNamespace };
  await cluster.client.patch(Pod, key, {
    type: "merge",
    subresource: "status",
    patch: { status: { phase: "Running" } },
  });
}

interface Dial {
  readonly who?: string;
  /** Empty for a client that sends none. */
  readonly from?: string;
}

/** Opens the WebSocket; returns the socket, or the status of a rejection. */
async function dial({ url, ticket }: { url: string; ticket: string }, { who = "ada", from = origin }: Dial = {}) {
  const address = `${server.url.replace("http", "ws")}${url}?ticket=${ticket}`;
  const headers = { authorization: `Bearer ${who}`, ...(from === "" ? {} : { origin: from }) };
  const socket = new WebSocket(address, { headers });
  open.push(socket);
  return new Promise<WebSocket | number | undefined>((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("unexpected-response", (_request, response) => resolve(response.statusCode));
    socket.once("error", reject);
  });
}

function requireSocket(dialled: WebSocket | number | undefined): WebSocket {
  if (dialled instanceof WebSocket) return dialled;
  throw new Error(`the terminal was refused with ${dialled}`);
}

/** The tenant as seen from the terminal. */
async function insideOf(id: string, work: (client: ApiClient) => Promise<void>): Promise<void> {
  const secret = await cluster.client.get(Secret, { name: `butler-terminal-${id}`, namespace: terminalNamespace });
  const data: unknown = secret["data"];
  const config = new KubeConfig();
  config.loadFromString(Buffer.from(String(isRecord(data) ? data["kubeconfig"] : ""), "base64").toString());
  const connected = connect(config);
  try {
    await work(connected.client);
  } finally {
    await connected.close();
  }
}

beforeAll(async () => {
  cluster = await aTestCluster({ resources: allResources });
  const { client } = cluster;
  // A fake kubelet exec endpoint that echoes its input.
  shell = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  shell.on("connection", (socket) => {
    socket.on("message", (data) => {
      const bytes = data as Buffer;
      if (bytes[0] === 0) socket.send(Buffer.concat([Buffer.of(1), bytes.subarray(1)]));
    });
  });
  await once(shell, "listening");
  for (const name of [namespaces.system, "payments", "shop-11111111"]) await cluster.createNamespace(name);
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await client.create(Namespace, newObject(Namespace, { name: terminalNamespace, labels }, {}));
  await client.create(ServiceAccount, newObject(ServiceAccount, { name: "default", namespace: terminalNamespace }, {}));
  const value = (await readFile(cluster.controlPlane.kubeconfigPath)).toString("base64");
  const kubeconfig = { name: "shop-kubeconfig", namespace: "shop-11111111" };
  await client.create(Secret, newObject(Secret, kubeconfig, { data: { value } }));
  await client.create(Team, newObject(Team, { name: "payments" }, { spec: {} }));
  const spec = {
    kubernetesVersion: "v1.34.1",
    providerConfigRef: { name: "local" },
    teamRef: { name: "payments" },
    workers: { replicas: 1 },
  };
  await client.create(TenantCluster, newObject(TenantCluster, params, { spec }));
  const patch = { status: { tenantNamespace: "shop-11111111" } };
  await client.patch(TenantCluster, params, { type: "merge", subresource: "status", patch });
  // The aggregated ClusterRole is not assembled here, because no controller manager is running.
  const { rules } = await client.get(ClusterRole, { name: "system:aggregate-to-view" });
  await client.patch(ClusterRole, { name: "view" }, { type: "merge", patch: { rules } });
  state = new ServerState(client);
  const audit = { commit: (record: AuditRecord) => Promise.resolve(void records.push(record)) };
  const tenants = {
    clientFor: () => (faults.tenant ? Promise.reject(new Unavailable("away")) : Promise.resolve(client)),
  };
  const { port } = shell.address() as AddressInfo;
  terminals = new Terminals({
    client,
    tenants,
    state,
    audit,
    clock,
    logger: silentLogger,
    image: { image: "registry.example.com/terminal:1" },
    exec: () => Promise.resolve(new WebSocket(`ws://127.0.0.1:${port}`)),
    callerNow: (sessionId) => Object.values(people).find((each) => each?.sessionId === sessionId),
    sweepEveryMs: 100,
  });
  await state.start(over.signal);
  terminals.start(over.signal);
  const authenticate = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
    Promise.resolve(people[String(headers["authorization"]).replace("Bearer ", "")]);
  server = await startServer({
    client,
    state,
    audit,
    tenants,
    clock,
    authenticate,
    checkCsrf: () => true,
    port: 0,
    handlers: () => terminalHandlers(terminals),
    extend: (app) =>
      acceptTerminals(app.server, { terminals, authenticate, publicUrl: origin, clock, logger: silentLogger }),
    checkAnswers: true,
  });
});

afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate();
  people["ada"] = { person: { email: "ada@example.com", groups: [] }, sessionId: "session-of-ada" };
  faults.tenant = false;
  time.offsetMs += 120_000;
  await cleared();
  time.offsetMs = 0;
  records.length = 0;
});
afterAll(async () => {
  for (const socket of open.splice(0)) socket.terminate();
  await server?.close();
  over.abort();
  await state?.caches.stopped();
  shell?.close();
  await cluster?.stop();
});

describe("a terminal", () => {
  it("has exactly the user's role in the tenant, and is deleted with its socket", async () => {
    await give("viewer");
    const ticket = await as("ada").call(openTerminal, { params });
    expect(ticket.role).toBe("view");
    expect(await remains()).toHaveLength(6);
    await insideOf(ticket.id, async (inside) => {
      await inside.list(ConfigMap, { namespace: "payments" });
      await expect(inside.list(Secret, { namespace: "payments" })).rejects.toBeInstanceOf(Forbidden);
      const object = newObject(ConfigMap, { name: "x", namespace: "payments" }, {});
      await expect(inside.create(ConfigMap, object)).rejects.toBeInstanceOf(Forbidden);
    });
    const socket = requireSocket(await dial(ticket));
    socket.send(Buffer.from("kubectl get pods\r"));
    await runPod(ticket.id);
    const [echo] = (await once(socket, "message")) as [Buffer];
    expect(echo.toString()).toBe("kubectl get pods\r");
    socket.close();
    await cleared();
    await eventually(() => records.length === 2);
    expect(records.map(({ action, user, resourceName }) => `${action} ${user} ${resourceName}`)).toEqual([
      "open-terminal ada@example.com shop",
      "close-terminal ada@example.com shop",
    ]);
    expect(JSON.stringify(records)).not.toContain(ticket.ticket);
  });

  it("opens once, for its user, from Butler's own pages", async () => {
    await give("operator");
    const ticket = await as("ada").call(openTerminal, { params });
    expect(await dial(ticket, { from: "https://evil.example" })).toBe(403);
    expect(await dial(ticket, { from: "" })).toBe(403);
    expect(await dial(ticket, { who: "nobody" })).toBe(401);
    expect(await dial(ticket, { who: "eve" })).toBe(404);
    expect(await dial({ ...ticket, ticket: "wrong" })).toBe(404);
    const both = await Promise.all([dial(ticket), dial(ticket)]);
    expect(both.filter((each) => each instanceof WebSocket)).toHaveLength(1);
    expect(both.filter((each) => each === 404)).toHaveLength(1);
    await expect(as("eve").call(openTerminal, { params })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    ["the role is revoked", () => give(undefined)],
    ["the role is lowered", () => give("viewer")],
    [
      "the session ends",
      () => {
        people["ada"] = undefined;
        terminals.recheck();
        return Promise.resolve();
      },
    ],
  ])("ends within a second when %s, and leaves nothing behind", async (_when, act) => {
    await give("operator");
    const ticket = await as("ada").call(openTerminal, { params });
    await runPod(ticket.id);
    const socket = requireSocket(await dial(ticket));
    socket.send(Buffer.from("x"));
    await once(socket, "message");
    const closed = once(socket, "close");
    const since = performance.now();
    await act();
    const [code] = (await closed) as [number];
    expect(code).toBe(1008);
    expect(performance.now() - since).toBeLessThan(1_000);
    await cleared();
  });

  it("is cleaned up if it is never opened", async () => {
    await give("admin");
    const ticket = await as("ada").call(openTerminal, { params });
    time.offsetMs += 31_000;
    await cleared();
    expect(await dial(ticket)).toBe(404);
  });

  it("that cannot be created leaves nothing behind once its tenant is reachable again", async () => {
    await give("admin");
    faults.tenant = true;
    await expect(as("ada").call(openTerminal, { params })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    // While the tenant does not respond, the possible leftovers are not forgotten.
    expect(await remains()).toMatchObject([expect.stringContaining("record")]);
    faults.tenant = false;
    time.offsetMs += 31_000;
    await cleared();
  });

  it("is limited in number per user", async () => {
    await give("viewer");
    for (let count = 0; count < 5; count++) await as("ada").call(openTerminal, { params });
    await expect(as("ada").call(openTerminal, { params })).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
