import { Team, TenantAddon, TenantCluster } from "@butler/api";
import { connectLive, createLiveTicket, type LiveChannel, liveProtocol } from "@butler/contract";
import { NotFound, systemClock } from "@butler/std";
import { eventually } from "@butler/testkit";
import { builtinKinds } from "@butler/resource";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { newObject } from "../handlers/writing.ts";
import type { SignedIn } from "../ports.ts";
import { type RunningServer, startServer } from "../start-server.ts";
import { type People, type Served, startServed } from "../testing/served.ts";
import { createLive, type LiveServer, type LiveServerOptions } from "./create-live.ts";
import { ensureSharedKey } from "./shared-key.ts";
import { leaseTicketUses, sweepTicketUses } from "./ticket-uses.ts";

const person = (email: string, rest: Partial<SignedIn> = {}): SignedIn => ({
  person: { email, groups: [] },
  sessionId: `session-of-${email}`,
  ...rest,
});
const people: People = {
  ada: person("ada@example.com"),
  eve: person("eve@example.com"),
  root: person("root@example.com", { platformRole: "viewer" }),
  script: { person: { email: "script@example.com", groups: [] } },
};
const sessions: LiveServerOptions["sessions"] = {
  find: (sessionId) => Object.values(people).find((each) => each.sessionId === sessionId),
  onChange: () => () => undefined,
};
const tenants = { clientFor: () => Promise.reject(new NotFound("no tenant runs in this test")) };

let served: Served;
let second: RunningServer;
const closing: (() => void)[] = [];

/** The live channels of a server, which exist as soon as it has its state. */
function liveOptions(keys: () => readonly Uint8Array[]) {
  const made: { live: LiveServer | undefined } = { live: undefined };
  return {
    made,
    handlers: ({ state, client }: Parameters<NonNullable<Parameters<typeof startServer>[0]["handlers"]>>[0]) => {
      const uses = leaseTicketUses({ client, namespace: "default", clock: systemClock });
      made.live = createLive({ state, sessions, uses, keys, tenants, publicUrl: "" });
      return made.live.handlers();
    },
    extend: (app: Parameters<LiveServer["extend"]>[0]): void => made.live?.extend(app),
  };
}

beforeAll(async () => {
  const keys: Uint8Array[] = [];
  served = await startServed(
    "server-live",
    people,
    liveOptions(() => keys),
  );
  const { cluster } = served;
  const key = { name: "butler-live-key", namespace: "default" };
  const [one, other] = await Promise.all([ensureSharedKey(cluster.client, key), ensureSharedKey(cluster.client, key)]);
  expect(one).toEqual(other);
  keys.push(one);
  second = await startServer({
    client: cluster.client,
    port: 0,
    authenticate: () => Promise.resolve(undefined),
    checkCsrf: () => true,
    audit: { commit: () => Promise.resolve() },
    tenants,
    ...liveOptions(() => keys),
  });
  for (const namespace of ["payments", "billing"]) await cluster.createNamespace(namespace);
  await team("payments", ["ada@example.com"]);
  await team("billing", ["eve@example.com"]);
  await aCluster("shop", "payments");
  await aCluster("ledger", "billing");
});

afterAll(async () => {
  for (const close of closing) close();
  await second?.close();
  await served?.stop();
});

async function team(name: string, users: readonly string[]): Promise<void> {
  const spec = { access: { users: users.map((user) => ({ name: user, role: "operator" })) } };
  await served.cluster.client.apply(Team, newObject(Team, { name }, { spec }), { fieldManager: "test" });
}

async function aCluster(name: string, namespace: string): Promise<void> {
  const object = newObject(TenantCluster, { name, namespace }, { spec: { teamRef: { name: namespace } } });
  await served.cluster.client.create(TenantCluster, object);
}

async function setPhase(name: string, namespace: string, phase: string): Promise<void> {
  const options = { type: "merge", patch: { status: { phase } }, subresource: "status" } as const;
  await served.cluster.client.patch(TenantCluster, { name, namespace }, options);
}

function follow(who: string, channel: LiveChannel, url = served.server.url) {
  const known: { objects: ReadonlyMap<string, unknown>; errors: string[] } = { objects: new Map(), errors: [] };
  const client = connectLive({
    baseUrl: url,
    ticket: async () => (await served.as(who).call(createLiveTicket, {})).ticket,
    openSocket: (address, protocols) => new WebSocket(address, protocols),
  });
  client.subscribe({
    channel,
    ...(channel === "nodes" ? { filter: { namespace: "billing", cluster: "ledger" } } : {}),
    onState: (objects) => (known.objects = objects),
    onError: (code) => known.errors.push(code),
  });
  closing.push(() => client.close());
  const keys = (): string => [...known.objects.keys()].sort().join(" ");
  return { client, known, keys };
}

describe("live channels on a real API server", () => {
  it("send users the clusters of their teams and their changes", async () => {
    const ada = follow("ada", "clusters");
    const root = follow("root", "clusters");
    await eventually(() => ada.keys() === "payments/shop" && root.keys() === "billing/ledger payments/shop");
    await aCluster("extra", "payments");
    await eventually(() => ada.keys() === "payments/extra payments/shop", { timeoutMs: 2_000 });
    await served.cluster.client.delete(TenantCluster, { namespace: "payments", name: "extra" });
    await eventually(() => ada.keys() === "payments/shop", { timeoutMs: 2_000 });
    expect(JSON.stringify([...ada.known.objects.values()])).not.toContain("managedFields");
  });

  it("remove a team's objects from a member who leaves it within a second", async () => {
    await team("billing", ["eve@example.com", "ada@example.com"]);
    const ada = follow("ada", "clusters");
    await eventually(() => ada.keys() === "billing/ledger payments/shop");
    const began = performance.now();
    await team("billing", ["eve@example.com"]);
    await eventually(() => ada.keys() === "payments/shop", { timeoutMs: 1_000 });
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it("send add-ons without values, events and notifications to the users they concern", async () => {
    const { client } = served.cluster;
    const spec = { clusterRef: { name: "shop" }, addon: "cilium", values: { password: "canary-of-the-values" } };
    await client.create(TenantAddon, newObject(TenantAddon, { name: "shop-cilium", namespace: "payments" }, { spec }));
    const involvedObject = { kind: "TenantCluster", name: "shop", namespace: "payments" };
    const event = { involvedObject, reason: "Tested", message: "hello", type: "Normal" };
    await client.create(
      builtinKinds.Event,
      newObject(builtinKinds.Event, { name: "e1", namespace: "payments" }, event),
    );
    const addons = follow("ada", "addons");
    const events = follow("ada", "events");
    const notifications = follow("ada", "notifications");
    const forEve = [follow("eve", "addons"), follow("eve", "events"), follow("eve", "notifications")];
    await eventually(() => addons.keys() === "payments/shop-cilium" && events.keys() === "payments/e1");
    expect(JSON.stringify([...addons.known.objects.values()])).not.toContain("canary");
    await setPhase("shop", "payments", "Provisioning");
    await setPhase("shop", "payments", "Ready");
    await setPhase("shop", "payments", "Failed");
    const titles = (): string[] =>
      [...notifications.known.objects.values()].map((each) => (each as { title: string }).title);
    // By name, not by number: an earlier test deleted a cluster of the same team, which causes a notification, too.
    await eventually(() => ["shop is ready", "shop failed"].every((title) => titles().includes(title)), {
      what: () => titles().join(", "),
    });
    expect(forEve.map(({ keys }) => keys().includes("payments"))).toEqual([false, false, false]);
  });

  it("return the same error for another team's cluster as for a missing one", async () => {
    const ada = follow("ada", "nodes");
    await eventually(() => ada.known.errors.join() === "NOT_FOUND");
  });

  it("accept a ticket once across servers, and delete its record later", async () => {
    const { ticket } = await served.as("ada").call(createLiveTicket, {});
    const dial = (url: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${url.replace("http", "ws")}/api/live`, [liveProtocol, `ticket.${ticket}`]);
        closing.push(() => socket.terminate());
        socket.on("open", () => resolve("open"));
        socket.on("unexpected-response", (_request, response) => resolve(String(response.statusCode)));
        socket.on("error", () => undefined);
      });
    const outcomes = await Promise.all([dial(served.server.url), dial(second.url)]);
    expect(outcomes.sort()).toEqual(["401", "open"]);
    const { client } = served.cluster;
    const later = { ...systemClock, now: () => new Date(Date.now() + 120_000) };
    expect(await sweepTicketUses({ client, namespace: "default", clock: systemClock })).toBe(0);
    expect(await sweepTicketUses({ client, namespace: "default", clock: later })).toBeGreaterThan(0);
  });

  it("issue no ticket without a session", async () => {
    await expect(served.as("script").call(createLiveTicket, {})).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
