import { Team, User } from "@butler/api";
import { liveProtocol } from "@butler/contract";
import { builtinKinds } from "@butler/resource";
import { type Browser, host, post, type WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { people, send, startPlatform, answerOf } from "./lib/platform.ts";

let platform: WholeServer;
const open: WebSocket[] = [];

beforeAll(async () => {
  platform = await startPlatform("security-sockets");
});

afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate();
});

afterAll(() => platform?.stop());

/** A socket with all received messages and its close code, or the status that rejected it. */
interface Dialled {
  readonly refused: number | undefined;
  readonly socket: WebSocket;
  readonly said: string[];
  closed: number | undefined;
}

function dial(path: string, { protocols = [] as string[], headers = {} as Record<string, string> }): Promise<Dialled> {
  const socket = new WebSocket(`${platform.url.replace("http", "ws")}${path}`, protocols, { headers });
  open.push(socket);
  const said: string[] = [];
  return new Promise((resolve) => {
    const dialled = (refused?: number): Dialled => {
      const result: Dialled = { refused, socket, said, closed: undefined };
      socket.on("close", (code) => (result.closed = code));
      return result;
    };
    socket.on("message", (data) => said.push((data as Buffer).toString()));
    socket.once("open", () => resolve(dialled()));
    socket.once("unexpected-response", (_request, response) => resolve(dialled(response.statusCode ?? 0)));
    socket.on("error", () => undefined);
  });
}

async function ticketOf(browser: Browser, origin?: string): Promise<string> {
  const csrf = browser.cookie(host, "butler_csrf") ?? "";
  const headers = { "x-butler-csrf": csrf, ...(origin === undefined ? {} : { origin }) };
  const answer = await answerOf(browser.send(`${platform.url}/api/live/tickets`, { method: "POST", headers }));
  return String(answer.body["ticket"]);
}

const cookieOf = (browser: Browser): string => `butler_session=${browser.cookie(host, "butler_session") ?? ""}`;
const live = (ticket: string, headers: Record<string, string> = {}): Promise<Dialled> =>
  dial("/api/live", { protocols: [liveProtocol, `ticket.${ticket}`], headers });

describe("live channels", () => {
  it("7: a cookie alone opens no socket, from any origin", async () => {
    const ada = await platform.signInAs({ email: people.ada });
    for (const origin of [platform.url, "https://evil.example"]) {
      const headers = { cookie: cookieOf(ada), origin };
      expect((await dial("/api/live", { protocols: [liveProtocol], headers })).refused).toBe(400);
      expect((await dial("/api/live", { headers })).refused).toBe(400);
    }
  });

  it("7: a page of another origin gets no ticket, and no socket with one", async () => {
    const ada = await platform.signInAs({ email: people.ada });
    expect(await ticketOf(ada, "https://evil.example")).toBe("undefined");
    const ticket = await ticketOf(ada, platform.url);
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1", `${platform.url}.evil.example`])
      expect((await live(ticket, { origin })).refused, origin).toBe(403);
    expect((await live(ticket)).refused).toBe(401);
    expect((await live(ticket, { origin: platform.url })).refused).toBeUndefined();
  });

  it("7: a ticket is valid once, for 30 s, unmodified, and during its session", async () => {
    const ada = await platform.signInAs({ email: people.ada });
    const ticket = await ticketOf(ada);
    const [body = "", signature = ""] = ticket.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as Record<string, unknown>;
    const changed = Buffer.from(JSON.stringify({ ...claims, sessionId: "0".repeat(32) })).toString("base64url");
    for (const forged of [`${changed}.${signature}`, `${body}.`, body, `${body}.${signature}x`, "x"])
      expect((await live(forged)).refused, forged).toBe(401);
    expect((await live(ticket)).refused).toBeUndefined();
    expect((await live(ticket)).refused).toBe(401);
    const late = await ticketOf(ada);
    platform.time.offsetMs += 31_000;
    try {
      expect((await live(late)).refused).toBe(401);
    } finally {
      platform.time.offsetMs = 0;
    }
    const ofEnded = await ticketOf(ada);
    await post(ada, `${platform.url}/api/auth/logout`);
    await eventually(async () => (await send(ada, `${platform.url}/api/auth/me`)).status === 401);
    expect((await live(ofEnded)).refused).toBe(401);
  });

  it("7: headers added to the upgrade do not change the identity", async () => {
    const [eve, root] = [
      await platform.signInAs({ email: people.eve }),
      await platform.signInAs({ email: people.root }),
    ];
    const headers = {
      cookie: cookieOf(root),
      authorization: `Bearer ${root.cookie(host, "butler_session") ?? ""}`,
      "impersonate-user": people.root,
      "x-butler-user-email": people.root,
    };
    const { socket, said } = await live(await ticketOf(eve), headers);
    socket.send(JSON.stringify({ type: "subscribe", id: "c", channel: "clusters" }));
    await eventually(() => said.some((text) => text.includes('"snapshot"')));
    expect(said.join("")).toContain("ledger");
    expect(said.join("")).not.toContain("shop");
  });

  it("32: a subscription to objects of another team returns nothing", async () => {
    const { socket, said } = await live(await ticketOf(await platform.signInAs({ email: people.eve })));
    const filters = [{ team: "payments" }, { namespace: "payments" }, { namespace: "payments", cluster: "shop" }];
    for (const [at, filter] of filters.entries())
      for (const channel of ["clusters", "addons", "events", "notifications"])
        socket.send(JSON.stringify({ type: "subscribe", id: `${channel}-${at}`, channel, filter }));
    const nodes = (id: string, cluster: string) =>
      socket.send(
        JSON.stringify({ type: "subscribe", id, channel: "nodes", filter: { namespace: "payments", cluster } }),
      );
    nodes("foreign", "shop");
    nodes("absent", "nothing");
    await eventually(() => said.filter((text) => text.includes('"error"')).length >= 2);
    const errors = said.filter((text) => text.includes('"error"')).map((text) => text.replace(/foreign|absent/, "x"));
    expect(new Set(errors).size).toBe(1);
    expect(said.join("")).not.toMatch(/"shop|shop-cilium/);
  });

  it("41: a socket that sends invalid, too many or too large messages is closed", async () => {
    const ada = await platform.signInAs({ email: people.ada });
    const first = await live(await ticketOf(ada));
    first.socket.send("[".repeat(3_000));
    await eventually(() => first.closed === 4_400);
    const second = await live(await ticketOf(ada));
    second.socket.send("x".repeat(10_000));
    await eventually(() => second.closed === 1_009);
    const third = await live(await ticketOf(ada));
    for (let at = 0; at < 200; at++) third.socket.send(JSON.stringify({ type: "unsubscribe", id: "x" }));
    await eventually(() => third.closed === 4_429);
  });

  it("9: a socket ends with its session", async () => {
    const ada = await platform.signInAs({ email: people.ada });
    const socket = await live(await ticketOf(ada));
    await post(ada, `${platform.url}/api/auth/logout`);
    await eventually(() => socket.closed === 4_401, { timeoutMs: 1_000 });
  });
});

interface Opened {
  readonly id: string;
  readonly url: string;
  readonly ticket: string;
  readonly role: string;
}

async function terminalOf(browser: Browser, path = "payments/shop"): Promise<Opened & { status: number }> {
  const { status, body } = await send(browser, `${platform.url}/api/clusters/${path}/terminal`, { method: "POST" });
  return { ...(body as unknown as Opened), status };
}

/** There is no kubelet here: the test sets the pod to Running. */
async function served(browser: Browser, { id, url, ticket }: Opened): Promise<Dialled> {
  const dialled = await dial(`${url}?ticket=${ticket}`, {
    headers: { cookie: cookieOf(browser), origin: platform.url },
  });
  const key = { name: `butler-terminal-${id}`, namespace: "butler-terminals" };
  const patch = { status: { phase: "Running" } };
  await platform.cluster.client.patch(builtinKinds.Pod, key, { type: "merge", subresource: "status", patch });
  await eventually(() => {
    dialled.socket.send(Buffer.from("hello"));
    return dialled.said.join("").includes("hello");
  });
  return dialled;
}

describe("terminals", () => {
  it("8: a terminal ticket is rejected for another session, another page, a second use, or without a cookie", async () => {
    const [olga, ada] = [
      await platform.signInAs({ email: people.olga }),
      await platform.signInAs({ email: people.ada }),
    ];
    const twin = await platform.signInAs({ email: people.olga });
    const terminal = await terminalOf(olga);
    expect(terminal).toMatchObject({ status: 201, role: "cluster-admin" });
    const path = `${terminal.url}?ticket=${terminal.ticket}`;
    const origin = platform.url;
    const attempt = async (to: string, headers: Record<string, string>) => (await dial(to, { headers })).refused;
    expect(await attempt(path, { cookie: cookieOf(ada), origin })).toBe(404);
    expect(await attempt(path, { cookie: cookieOf(twin), origin })).toBe(404);
    expect(await attempt(path, { origin })).toBe(401);
    expect(await attempt(path, { cookie: cookieOf(olga) })).toBe(403);
    expect(await attempt(path, { cookie: cookieOf(olga), origin: "https://evil.example" })).toBe(403);
    expect(await attempt(`${terminal.url}?ticket=wrong`, { cookie: cookieOf(olga), origin })).toBe(404);
    expect(await attempt(terminal.url, { cookie: cookieOf(olga), origin })).toBe(404);
    await served(olga, terminal);
    expect(await attempt(path, { cookie: cookieOf(olga), origin })).toBe(404);
  });

  it("8: a terminal ends with the session, the role and the account, within a second", async () => {
    const { client } = platform.cluster;
    const olga = await platform.signInAs({ email: people.olga });
    const bySession = await served(olga, await terminalOf(olga));
    await post(olga, `${platform.url}/api/auth/logout`);
    await eventually(() => bySession.closed !== undefined, { timeoutMs: 1_000 });
    const again = await platform.signInAs({ email: people.olga });
    const byRole = await served(again, await terminalOf(again));
    const users = (platform.state.teams.get({ name: "payments" })?.spec.access.users ?? []).map((user) =>
      user.name === people.olga ? { ...user, role: "viewer" } : user,
    );
    await client.patch(Team, { name: "payments" }, { type: "merge", patch: { spec: { access: { users } } } });
    await eventually(() => byRole.closed !== undefined, { timeoutMs: 1_000 });
    const asViewer = await terminalOf(again);
    expect(asViewer.role).toBe("view");
    const byAccount = await served(again, asViewer);
    const account = platform.state.accountsOf(people.olga)[0]?.metadata.name ?? "";
    await client.patch(User, { name: account }, { type: "merge", patch: { spec: { disabled: true } } });
    await eventually(() => byAccount.closed !== undefined, { timeoutMs: 1_000 });
  });

  it("8: rejects terminals for clusters of others, for the management cluster, and for other paths", async () => {
    const eve = await platform.signInAs({ email: people.eve });
    expect((await terminalOf(eve, "payments/shop")).status).toBe(404);
    for (const path of ["management", "butler-system/management", "..%2fmanagement/x", "kube-system/kubernetes"])
      expect([400, 404, 405]).toContain((await terminalOf(eve, path)).status);
    for (const path of ["/ws/terminal/management/x/y", "/api/terminal/management"])
      expect((await dial(path, { headers: { cookie: cookieOf(eve), origin: platform.url } })).refused).toBe(404);
  });

  it("8: the pod of a terminal has no token, environment or node access of the server", async () => {
    const ada = await platform.signInAs({ email: people.ada });
    const { id } = await terminalOf(ada);
    const pod = await platform.cluster.client.get(builtinKinds.Pod, {
      name: `butler-terminal-${id}`,
      namespace: "butler-terminals",
    });
    const spec = pod["spec"] as Record<string, unknown> & { containers: Record<string, unknown>[] };
    expect(spec["automountServiceAccountToken"]).toBe(false);
    expect([spec["hostNetwork"] ?? false, spec["hostPID"] ?? false, spec["hostIPC"] ?? false]).toEqual([
      false,
      false,
      false,
    ]);
    const text = JSON.stringify(spec);
    expect(text).not.toMatch(/hostPath|"privileged":true|envFrom|BUTLER_/);
    expect(text).toContain('"allowPrivilegeEscalation":false');
  });
});
