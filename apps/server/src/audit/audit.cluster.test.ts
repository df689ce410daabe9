import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { AuditSegment, Team, TenantCluster } from "@butler/api";
import { createCluster, exportAudit, listAudit, listTeamAudit, scaleCluster, verifyAudit } from "@butler/contract";
import { CacheSet, listAll } from "@butler/kube";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newObject } from "../handlers/writing.ts";
import type { SignedIn } from "../ports.ts";
import { bindPlatform, bindTeam, type Served, startServed } from "../testing/served.ts";
import { type Audit, createAudit } from "./create-audit.ts";
import { readLine } from "@butler/audit";
import { aRecord } from "./testing/records.ts";
import { verifySegments } from "./verify.ts";

const person = (email: string, rest: Partial<SignedIn> = {}): SignedIn => ({ person: { email, groups: [] }, ...rest });
const people = {
  ada: person("ada@example.com"),
  vera: person("vera@example.com"),
  watcher: person("watcher@example.com", { platformRole: "viewer" }),
};

let served: Served;
let audit: Audit;
const printed: string[] = [];

beforeAll(async () => {
  served = await startServed("server-audit", people, {
    audit: { begin: (record) => audit.sink.begin(record), commit: (record) => audit.sink.commit(record) },
    handlers: ({ state, client }) => {
      audit = createAudit({
        client,
        state,
        namespace: "default",
        giveUpMs: 1_500,
        write: (line) => printed.push(line),
      });
      return audit.handlers();
    },
  });
  const { cluster } = served;
  await bindPlatform(cluster);
  await cluster.createNamespace("payments");
  await bindTeam(cluster, "payments");
  const users = [
    { name: "ada@example.com", role: "admin" },
    { name: "vera@example.com", role: "viewer" },
  ];
  await cluster.client.create(Team, newObject(Team, { name: "payments" }, { spec: { access: { users } } }));
  await eventually(() => served.server.state.teams.size === 1);
});

afterAll(() => served?.stop());

async function stored(): Promise<AuditSegment[]> {
  const segments: AuditSegment[] = [];
  for await (const segment of listAll(served.cluster.client, AuditSegment)) segments.push(segment);
  return segments;
}

const shop = { namespace: "payments", name: "shop" };

describe("the audit log of a server", () => {
  it("stores the intent before every change, and the outcome before the response", async () => {
    const ada = served.as("ada");
    await ada.call(createCluster, { body: { name: "shop", teamRef: "payments", workerReplicas: 2 } });
    const refused = served.as("vera").call(scaleCluster, { params: shop, body: { replicas: 9 } });
    await expect(refused).rejects.toMatchObject({ code: "FORBIDDEN" });
    const records = (await stored()).flatMap(({ spec }) =>
      spec.lines.split("\n").flatMap((line) => readLine(line) ?? []),
    );
    expect(records.map(({ action, phase, user, statusCode }) => [action, phase, user, statusCode])).toEqual([
      ["begin-log", "outcome", "", 0],
      ["create", "intent", "ada@example.com", 0],
      ["create", "outcome", "ada@example.com", 201],
      ["scale", "outcome", "vera@example.com", 403],
    ]);
    expect(printed).toHaveLength(4);
  });

  it("is searchable, by team and platform-wide", async () => {
    await eventually(async () => {
      const { entries } = await served.as("watcher").call(listAudit, { query: { resourceType: "TenantCluster" } });
      expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([
        ["scale", "failure"],
        ["create", "success"],
      ]);
      return true;
    });
    const own = await served
      .as("ada")
      .call(listTeamAudit, { params: { team: "payments" }, query: { user: "vera@example.com" } });
    // The body of a denied request is not read.
    expect(own.entries).toMatchObject([{ action: "scale", resourceName: "shop", teamRef: "payments", fields: [] }]);
    const asViewer = served.as("vera").call(listTeamAudit, { params: { team: "payments" }, query: {} });
    await expect(asViewer).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await served.as("watcher").call(verifyAudit, {})).toMatchObject({ isIntact: true });
    const text = await served.as("watcher").call(exportAudit, { query: {} });
    expect(text.trimEnd().split("\n").length).toBeGreaterThanOrEqual(4);
  });

  it("cannot be changed or truncated, not even by the server", async () => {
    const [segment] = await stored();
    if (segment === undefined) throw new Error("nothing is stored");
    const { client } = served.cluster;
    const patch = (spec: object) =>
      client.patch(AuditSegment, { name: segment.metadata.name }, { type: "merge", patch: { spec } });
    const forged = segment.spec.lines.replace("ada@example.com", "eve@example.com");
    await expect(patch({ lines: forged })).rejects.toThrow("cannot be changed or removed");
    await expect(patch({ lines: segment.spec.lines.slice(0, -10) })).rejects.toThrow("cannot be changed or removed");
    await expect(patch({ firstRecord: 2 })).rejects.toThrow("are immutable");
  });

  it("rejects a change whose intent cannot be recorded, and recovers afterwards", async () => {
    const { controlPlane, client } = served.cluster;
    await controlPlane.stopApiServer();
    try {
      const refused = served.as("ada").call(createCluster, { body: { name: "late", teamRef: "payments" } });
      await expect(refused).rejects.toMatchObject({ code: "UNAVAILABLE", httpStatus: 503 });
    } finally {
      await controlPlane.startApiServer();
    }
    expect(await client.find(TenantCluster, { namespace: "payments", name: "late" })).toBeUndefined();
    await eventually(async () => {
      await served.as("ada").call(scaleCluster, { params: shop, body: { replicas: 3 } });
      return true;
    });
    const verdicts = verifySegments(await stored());
    expect(verdicts.map((verdict) => verdict.break)).toEqual([undefined]);
  });
});

describe("retention", () => {
  it("deletes the beginning of a chain, and records that in the log", async () => {
    const { client } = served.cluster;
    const state = { caches: new CacheSet(client) };
    const small = { maximumBytes: 3_000 };
    const writing = createAudit({ client, state, namespace: "default", segmentBytes: 1_500, retention: small });
    const over = new AbortController();
    try {
      await state.caches.start(over.signal);
      for (let at = 0; at < 12; at++) {
        await writing.sink.commit(aRecord({ requestId: `kept-${at}`, timestamp: new Date().toISOString() }));
      }
      const own = async (): Promise<AuditSegment[]> =>
        (await stored()).filter(({ spec }) => spec.lines.includes("kept-"));
      const [before] = await own();
      await eventually(() => state.caches.of(AuditSegment).list().length > 3);
      void writing.run(over.signal);
      await eventually(async () => (await own()).every(({ metadata }) => metadata.name !== before?.metadata.name));
      await writing.close();
      const text = (await own()).map(({ spec }) => spec.lines).join("");
      expect(text).toContain('"action":"expire"');
      expect(text).toContain("kept-11");
      expect(verifySegments(await stored()).filter((verdict) => verdict.break !== undefined)).toEqual([]);
    } finally {
      over.abort();
      await state.caches.stopped();
    }
  });
});

describe("servers that are killed", () => {
  const program = fileURLToPath(new URL("./testing/audit-program.ts", import.meta.url));
  type Program = ChildProcessByStdio<null, Readable, null>;

  function start(name: string, acknowledged: string[]): Program {
    const { kubeconfigPath } = served.cluster.controlPlane;
    const child = spawn(process.execPath, [program, kubeconfigPath, name], { stdio: ["ignore", "pipe", "inherit"] });
    createInterface({ input: child.stdout }).on("line", (line) => acknowledged.push(line));
    return child;
  }

  async function kill(child: Program): Promise<void> {
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  }

  it("lose no acknowledged record, with two servers killed repeatedly", async () => {
    const acknowledged: string[] = [];
    const running: Program[] = [];
    try {
      running.push(start("steady", acknowledged));
      for (const round of [1, 2, 3]) {
        const name = `killed-${round}`;
        const child = start(name, acknowledged);
        running.push(child);
        await eventually(() => acknowledged.filter((id) => id.startsWith(name)).length > 60 * round);
        await kill(child);
      }
    } finally {
      await Promise.all(
        running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null).map(kill),
      );
    }
    const segments = await stored();
    expect(verifySegments(segments).filter((verdict) => verdict.break !== undefined)).toEqual([]);
    expect(new Set(segments.map(({ spec }) => spec.chain)).size).toBeGreaterThanOrEqual(5);
    const outcomes = segments
      .flatMap(({ spec }) => spec.lines.split("\n").flatMap((line) => readLine(line) ?? []))
      .filter(({ phase }) => phase === "outcome")
      .map(({ requestId }) => requestId);
    const kept = new Set(outcomes);
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    expect(outcomes.filter((id) => id !== "").length).toBe(new Set(outcomes.filter((id) => id !== "")).size);
    expect(acknowledged.length).toBeGreaterThan(360);
  });
});
