import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureTools } from "@butler/engine";
import { EtcdAdmin } from "@butler/etcd";
import { EtcdProcess } from "@butler/etcd/testing";
import { issueCertificate } from "@butler/pki";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { etcdFlags, etcdPaths } from "./etcd-flags.ts";
import { etcdPorts, memberHost } from "./etcd-names.ts";
import { tenantIdentity } from "./tenant-identity.ts";
import { type EtcdCertificates, issueEtcdCertificates } from "./testing/shared-etcd.ts";

const place = { name: "blue-etcd", namespace: "team", members: 1 };
const local = { ipAddresses: ["127.0.0.1"] };

let directory: string;
let certificates: EtcdCertificates;
let etcd: EtcdProcess;
let admin: EtcdAdmin;
let metricsUrl: string;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The flags of the manifest with what differs on one machine without pods: files, and addresses that are names there. */
async function flagsHere(): Promise<Record<string, string>> {
  const [peerPort, metricsPort] = [await freePort(), await freePort()];
  metricsUrl = `http://127.0.0.1:${metricsPort}`;
  const here = (value: string): string =>
    value
      .replaceAll("$(POD_NAME)", "blue-etcd-0")
      .replaceAll(memberHost(place, "blue-etcd-0"), "127.0.0.1")
      .replaceAll("0.0.0.0", "127.0.0.1")
      .replace(`:${etcdPorts.peer}`, `:${peerPort}`)
      .replace(`:${etcdPorts.metrics}`, `:${metricsPort}`)
      .replace(etcdPaths.data, join(directory, "data"))
      .replace(etcdPaths.client, join(directory, "client"))
      .replace(etcdPaths.peer, join(directory, "peer"));
  const flags = Object.entries(etcdFlags({ ...place, token: "uid", quota: 64n * 1024n ** 2n }));
  const own = new Set(["listen-client-urls", "advertise-client-urls"]);
  return Object.fromEntries(flags.filter(([flag]) => !own.has(flag)).map(([flag, value]) => [flag, here(value)]));
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "butler-etcd-flags-"));
  certificates = await issueEtcdCertificates(place);
  const { ca, peerCA, root } = certificates;
  const request = { commonName: "etcd", usages: ["server", "client"] as const, ...local };
  // Only the names differ from those that are issued for pods.
  const [server, peer] = [await issueCertificate(ca, request), await issueCertificate(peerCA, request)];
  for (const [folder, authority, pair] of [
    ["client", ca, server],
    ["peer", peerCA, peer],
  ] as const) {
    const file = (name: string): string => join(directory, folder, name);
    await mkdir(join(directory, folder));
    await writeFile(file("ca.crt"), authority.cert);
    await writeFile(file("tls.crt"), pair.cert);
    await writeFile(file("tls.key"), pair.key);
  }
  const { etcd: program } = await ensureTools(["etcd"]);
  const issue = (commonName: string) => issueCertificate(ca, { ...request, commonName });
  etcd = await EtcdProcess.start({ program, authority: ca, issue, flags: await flagsHere() });
  admin = new EtcdAdmin({ endpoints: [etcd.endpoint], ca: ca.cert, ...root });
});
afterAll(async () => {
  admin?.close();
  await etcd?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

describe("an etcd with the flags of the manifest", () => {
  it("is administered with root's certificate", async () => {
    await admin.enableAuth();
    await admin.ensureTenant(tenantIdentity("uid-of-blue"));
    expect(await admin.status()).toMatchObject({ version: "3.7.3", dbSizeQuota: 64 * 1024 ** 2, isAuthEnabled: true });
  });

  it.each(["/livez", "/readyz"])("responds to the probe %s, also once users and roles are enforced", async (path) => {
    await admin.enableAuth();
    expect((await fetch(`${metricsUrl}${path}`)).status).toBe(200);
  });

  it("exposes neither keys nor users to health probes", async () => {
    const text = await (await fetch(`${metricsUrl}/metrics`)).text();
    expect(text).toContain("etcd_server_has_leader 1");
    expect(text).not.toMatch(/uid-of-blue|butler/);
    expect((await fetch(`${metricsUrl}/v3/kv/range`, { method: "POST", body: "{}" })).status).toBe(404);
  });

  it("does not accept a member certificate as a client certificate", async () => {
    const { ca, peerCA } = certificates;
    const asMember = await issueCertificate(peerCA, { commonName: "root", usages: ["client"] });
    const stranger = new EtcdAdmin({ endpoints: [etcd.endpoint], ca: ca.cert, ...asMember });
    await expect(stranger.status()).rejects.toMatchObject({ code: "UNAVAILABLE", hint: /client certificate/ });
    stranger.close();
  });
});
