import { ensureTools } from "@butler/engine";
import { type CertificatePair, createAuthority, issueCertificate } from "@butler/pki";
import { Forbidden, InvalidInput, Unavailable } from "@butler/std";
import { eventually } from "@butler/testkit";
import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import { fromJSON } from "@grpc/proto-loader";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { EtcdAdmin, type EtcdAdminOptions } from "./etcd-admin.ts";
import type { EtcdConnection } from "./etcd-calls.ts";
import { etcdProtocol } from "./etcd-protocol.ts";
import { EtcdKeys, EtcdProcess, SlowProxy } from "./testing/index.ts";

const tenant = { user: "tenant-a", role: "tenant-a", prefix: "/butler/a/" };
/** Listens to nothing: a port that is reserved and never given out. */
const deadEndpoint = "127.0.0.1:1";

let program: string;
let authority: CertificatePair;
let etcd: EtcdProcess;
let root: EtcdConnection;
const undo: (() => unknown)[] = [];

const issue = (commonName: string): Promise<CertificatePair> =>
  issueCertificate(authority, {
    commonName,
    usages: ["server", "client"],
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
  });

function adminOf(connection: Partial<EtcdConnection> = {}, options?: EtcdAdminOptions): EtcdAdmin {
  const admin = new EtcdAdmin({ ...root, ...connection }, options);
  undo.push(() => admin.close());
  return admin;
}

async function startProxy(target = etcd.endpoint): Promise<{ proxy: SlowProxy; endpoint: string }> {
  const proxy = new SlowProxy(target);
  undo.push(() => proxy.stop());
  return { proxy, endpoint: await proxy.start() };
}

async function failureOf(attempt: Promise<unknown>): Promise<Error & { hint?: string }> {
  return attempt.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => error as Error & { hint?: string },
  );
}

beforeAll(async () => {
  program = (await ensureTools(["etcd"])).etcd;
  authority = await createAuthority("etcd-faults-test");
  etcd = await EtcdProcess.start({ program, authority, issue });
  root = await etcd.connectionOf("root");
  await adminOf().enableAuth();
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
afterAll(() => etcd?.stop());

describe("a store that is down", () => {
  it("fails fast, and reports the endpoint and the remedy", async () => {
    const startedAtMs = performance.now();
    const failure = await failureOf(adminOf({ endpoints: [deadEndpoint] }).ensureTenant(tenant));
    expect(failure).toBeInstanceOf(Unavailable);
    expect(failure.message).toContain(`etcd at ${deadEndpoint} is unreachable: connect ECONNREFUSED`);
    expect(failure.hint).toMatch(/endpoints are correct/);
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
  });

  it("has a stable message", async () => {
    const admin = adminOf({ endpoints: [deadEndpoint, "127.0.0.1:2"] });
    const messages = new Set<string>();
    for (let round = 0; round < 5; round++) messages.add((await failureOf(admin.status())).message);
    expect([...messages]).toHaveLength(1);
  });

  it("is used again as soon as it recovers", async () => {
    const own = await EtcdProcess.start({ program, authority, issue });
    undo.push(() => own.stop());
    const admin = adminOf({ endpoints: [own.endpoint] });
    await admin.enableAuth();
    await own.kill();
    expect(await failureOf(admin.ensureTenant(tenant))).toBeInstanceOf(Unavailable);
    expect(await failureOf(admin.removeTenant(tenant))).toBeInstanceOf(Unavailable);
    await own.restart();
    await eventually(async () => (await admin.status()).leader, { timeoutMs: 10_000, what: "an answer" });
    await admin.ensureTenant(tenant);
    expect(await admin.listUsers()).toEqual(["root", "tenant-a"]);
  });

  it("in part is served by the other members, and the dead member costs time only once", async () => {
    const admin = adminOf({ endpoints: [deadEndpoint, etcd.endpoint] });
    await admin.ensureTenant(tenant);
    const { endpoints, version } = await admin.status();
    expect(version).toMatch(/^3\./);
    expect(endpoints).toEqual([
      { endpoint: deadEndpoint, fault: expect.stringContaining("ECONNREFUSED") },
      { endpoint: etcd.endpoint },
    ]);
    await admin.removeTenant(tenant);
  });
});

describe("a store that is slow", () => {
  it("times out after the limit, and not before", async () => {
    const { proxy, endpoint } = await startProxy();
    const admin = adminOf({ endpoints: [endpoint] }, { callLimitMs: 1_500 });
    await admin.listUsers();
    proxy.delayMs = 200;
    await admin.listUsers();
    proxy.delayMs = 5_000;
    const startedAtMs = performance.now();
    const failure = await failureOf(admin.listUsers());
    const tookMs = performance.now() - startedAtMs;
    expect(failure).toBeInstanceOf(Unavailable);
    expect(failure.message).toBe(`etcd at ${endpoint} timed out (limit per call: 1500 ms)`);
    expect(failure.hint).toMatch(/load and disks/);
    expect(tookMs).toBeGreaterThan(1_400);
    expect(tookMs).toBeLessThan(4_500);
  });

  it("is reconnected after a silent connection", async () => {
    const { proxy, endpoint } = await startProxy();
    const admin = adminOf({ endpoints: [endpoint] }, { callLimitMs: 1_500 });
    await admin.listUsers();
    expect(proxy.connections).toBe(1);
    proxy.delayMs = 60_000;
    await failureOf(admin.listUsers());
    proxy.delayMs = 0;
    await admin.listUsers();
    expect(proxy.connections).toBe(2);
  });

  it("in one member is served by another within the same limit", async () => {
    const { proxy, endpoint } = await startProxy();
    proxy.delayMs = 60_000;
    const admin = adminOf({ endpoints: [endpoint, etcd.endpoint] }, { callLimitMs: 4_000 });
    await admin.listUsers();
    const startedAtMs = performance.now();
    await admin.listUsers();
    expect(performance.now() - startedAtMs).toBeLessThan(1_800);
  });

  it("does not block a caller that aborts", async () => {
    const { proxy, endpoint } = await startProxy();
    proxy.delayMs = 60_000;
    const startedAtMs = performance.now();
    await expect(adminOf({ endpoints: [endpoint] }).status(AbortSignal.timeout(50))).rejects.toThrow(/aborted/);
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });

  it("survives connections that break", async () => {
    const { proxy, endpoint } = await startProxy();
    const admin = adminOf({ endpoints: [endpoint] });
    await admin.ensureTenant(tenant);
    proxy.breakConnections();
    await eventually(async () => (await admin.listUsers()).length === 2, { timeoutMs: 5_000 });
    await admin.removeTenant(tenant);
  });
});

describe("a store that is full", () => {
  it("rejects new tenants, still removes one, and reports NOSPACE", async () => {
    // Room for little more than what etcd itself keeps.
    const flags = { "quota-backend-bytes": String(2 * 1024 * 1024) };
    const full = await EtcdProcess.start({ program, authority, issue, flags });
    undo.push(() => full.stop());
    const admin = adminOf({ endpoints: [full.endpoint] });
    await admin.enableAuth();
    await admin.ensureTenant(tenant);
    const keys = new EtcdKeys(await full.connectionOf("tenant-a"));
    undo.push(() => keys.close());
    const fill = async (): Promise<void> => {
      for (let at = 0; at < 200; at++) await keys.put(`/butler/a/${at}`, "x".repeat(100_000));
    };
    const failure = await failureOf(fill());
    expect(failure).toBeInstanceOf(Unavailable);
    expect(failure.message).toContain("NOSPACE");

    const other = { user: "tenant-b", role: "tenant-b", prefix: "/butler/b/" };
    const refusal = await failureOf(admin.ensureTenant(other));
    expect(refusal).toBeInstanceOf(Unavailable);
    expect(refusal.message).toContain("NOSPACE");
    expect(refusal.hint).toMatch(/defragment/);
    expect(await admin.listUsers()).toEqual(["root", "tenant-a"]);

    const { alarms, dbSize, dbSizeQuota } = await admin.status();
    expect(alarms).toEqual(["NOSPACE"]);
    expect(dbSizeQuota).toBe(2 * 1024 * 1024);
    expect(dbSize).toBeGreaterThan(1024 * 1024);

    await admin.ensureTenant(tenant);
    await admin.removeTenant(tenant);
    expect(await admin.countKeys("")).toBe(0);
    expect(await admin.listUsers()).toEqual(["root"]);
  });
});

describe("a store that rejects our credentials", () => {
  it("rejects a certificate of another CA", async () => {
    const stranger = await createAuthority("other-ca");
    const pair = await issueCertificate(stranger, { commonName: "root", usages: ["client"] });
    const failure = await failureOf(adminOf(pair).status());
    expect(failure).toBeInstanceOf(Unavailable);
    expect(failure.hint).toMatch(/client certificate is signed by/);
  });

  it("is not trusted when its own certificate is of another CA", async () => {
    const stranger = await createAuthority("other-ca");
    const failure = await failureOf(adminOf({ ca: stranger.cert }).status());
    expect(failure).toBeInstanceOf(Unavailable);
    expect(failure.message).toMatch(/certificate/);
    expect(failure.hint).toMatch(/server certificate/);
  });

  it("rejects a user that is not root", async () => {
    const failure = await failureOf(adminOf(await issue("not-root")).ensureTenant(tenant));
    expect(failure).toBeInstanceOf(Forbidden);
    expect(failure.hint).toMatch(/common name is root/);
  });

  it.each([
    ["no PEM", { cert: "rubbish" }],
    ["no key", { key: "" }],
    ["a broken authority", { ca: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" }],
    ["no endpoint", { endpoints: [] }],
  ])("is not called with %s", (_name, part) => {
    expect(() => new EtcdAdmin({ ...root, ...part })).toThrow(InvalidInput);
  });

  it("is not called with the key of another certificate", async () => {
    const { key } = await issue("root");
    expect(() => new EtcdAdmin({ ...root, key })).toThrow(InvalidInput);
  });
});

describe("a server that answers in place of etcd", () => {
  /** A server that answers every call with the same error. */
  async function startImpostor(answer: {
    code: status;
    details: string;
  }): Promise<{ endpoint: string; asked: string[] }> {
    const asked: string[] = [];
    const server = new Server();
    undo.push(() => server.forceShutdown());
    for (const [name, definition] of Object.entries(fromJSON(etcdProtocol))) {
      if ("format" in definition) continue;
      const methods = Object.keys(definition).map((method) => [
        method,
        (_call: unknown, reply: (error: object) => void) => {
          asked.push(`${name}/${method}`);
          reply(answer);
        },
      ]);
      server.addService(definition, Object.fromEntries(methods));
    }
    const { cert, key } = await issue("etcd");
    const pairs = [{ private_key: Buffer.from(key), cert_chain: Buffer.from(cert) }];
    const credentials = ServerCredentials.createSsl(Buffer.from(authority.cert), pairs, true);
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
    });
    return { endpoint: `127.0.0.1:${port}`, asked };
  }

  it.each([
    { code: status.NOT_FOUND, details: "not found" },
    { code: status.UNIMPLEMENTED, details: "unknown service" },
    { code: status.UNKNOWN, details: "" },
    { code: status.FAILED_PRECONDITION, details: "etcdserver: not leader" },
    { code: status.UNAVAILABLE, details: "etcdserver: user name not found" },
  ])("with $code $details is not treated as a missing tenant", async (answer) => {
    const { endpoint, asked } = await startImpostor(answer);
    const admin = adminOf({ endpoints: [endpoint] });
    expect(await failureOf(admin.ensureTenant(tenant))).toBeInstanceOf(Unavailable);
    expect(asked).not.toContain("etcdserverpb.Auth/UserAdd");
    expect(asked).not.toContain("etcdserverpb.Auth/RoleAdd");
    expect(await failureOf(admin.removeTenant(tenant))).toBeInstanceOf(Unavailable);
    // It stops at the user and touches neither keys nor role.
    expect(asked).not.toContain("etcdserverpb.KV/DeleteRange");
    expect(asked).not.toContain("etcdserverpb.Auth/RoleDelete");
  });

  it("that always reports changed auth rules is retried only until the limit", async () => {
    const { endpoint } = await startImpostor({
      code: status.INVALID_ARGUMENT,
      details: "etcdserver: revision of auth store is old",
    });
    const startedAtMs = performance.now();
    await failureOf(adminOf({ endpoints: [endpoint] }, { callLimitMs: 300 }).countKeys("/"));
    expect(performance.now() - startedAtMs).toBeLessThan(1_500);
  });
});
