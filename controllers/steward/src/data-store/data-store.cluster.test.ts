import { DataStore, TenantControlPlane } from "@butler/api";
import { SlowProxy } from "@butler/etcd/testing";
import { createAuthority, issueCertificate, readCertificate } from "@butler/pki";
import { builtinKinds, type DynamicObject, findCondition, type KubeObject } from "@butler/resource";
import { connectAsController, eventually, FakeClock, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "./content-ref.ts";
import { dataStoreController } from "./controller.ts";
import { dataStoreLabel, signedByAnnotation } from "./names.ts";
import { tenantIdentity } from "./tenant-identity.ts";
import { runDataStores } from "./testing/running-stores.ts";
import {
  dataStoreAt,
  storeNamespace as namespace,
  storeSecret,
  startStores,
  type StoreHarness,
} from "./testing/store-harness.ts";

let cluster: TestCluster;
let harness: StoreHarness;

/** Waits until a DataStore's Ready condition has a reason. */
function storeWith(name: string, reason: string): Promise<DataStore> {
  let last: unknown;
  return eventually(
    async () => {
      const found = await cluster.client.get(DataStore, { name });
      last = found.status?.conditions;
      return findCondition(found.status?.conditions, "Ready")?.reason === reason && found;
    },
    { timeoutMs: 30_000, what: () => `${name} with ${reason}; last seen ${JSON.stringify(last)}` },
  );
}

async function run(options?: Parameters<typeof runDataStores>[1]) {
  const running = await runDataStores(cluster.client, options);
  harness.later(() => running.stop());
  return running;
}

beforeAll(async () => {
  ({ cluster, harness } = await startStores());
});
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

describe("a shared store", () => {
  it("becomes ready: an empty one gets authentication, and tenants are isolated", async () => {
    const etcd = await harness.startEtcd();
    await harness.createStore("shared", [etcd.endpoint]);
    const { connections, written, runtime } = await run();
    const { status } = await storeWith("shared", "Ready");
    expect(status).toMatchObject({ version: "3.7.3", databaseSize: "1Mi", quota: "2Gi" });
    expect(status?.conditions?.map((condition) => `${condition.type} ${condition.status}`).sort()).toEqual([
      "AuthenticationEnabled True",
      "Reachable True",
      "Ready True",
      "SpaceAvailable True",
    ]);
    await eventually(() => runtime.isIdle, { what: "rest" });
    expect(written.filter((line) => line.startsWith("perform"))).toEqual(["perform enableAuthentication"]);

    const admin = await connections.admin("shared");
    const [blue, green] = [tenantIdentity("uid-of-blue"), tenantIdentity("uid-of-green")];
    for (const tenant of [blue, green]) await admin.ensureTenant(tenant);
    const signer = await connections.clientAuthority("shared");
    const client = await issueCertificate(signer, { commonName: blue.user, usages: ["client"] });
    const keys = harness.keysOf({ endpoints: [etcd.endpoint], ca: signer.cert, ...client });
    await keys.put(`${blue.prefix}a`, "1");
    await expect(keys.get(`${green.prefix}a`)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("that others use without authentication is left unchanged", async () => {
    const etcd = await harness.startEtcd();
    const keys = harness.keysOf(await etcd.connectionOf("root"));
    await keys.put("/registry/of/another-user", "precious");
    await harness.createStore("foreign", [etcd.endpoint]);
    const { written } = await run();
    const { status } = await storeWith("foreign", "Disabled");
    expect(findCondition(status?.conditions, "Ready")?.message).toMatch(
      /that Steward did not create, so Steward does not enable it/,
    );
    expect(written.join()).not.toContain("perform");
    expect(await keys.get("/registry/of/another-user")).toBe("precious");
  });

  it("lists its control planes, and writes nothing while nothing changes", async () => {
    const etcd = await harness.startEtcd();
    await harness.createStore("busy", [etcd.endpoint]);
    const clock = new FakeClock();
    const { written, runtime } = await run({ clock });
    await storeWith("busy", "Ready");
    await harness.createControlPlane("blue", "busy");
    await harness.createControlPlane("green", "busy");
    const users = [`${namespace}/blue`, `${namespace}/green`];
    const { status } = await eventually(async () => {
      const found = await cluster.client.get(DataStore, { name: "busy" });
      return found.status?.usedBy?.length === 2 && found;
    });
    expect(status?.usedBy).toEqual(users);
    await eventually(() => runtime.isIdle, { what: "rest" });
    const [before, { metadata }] = [written.length, await cluster.client.get(DataStore, { name: "busy" })];
    for (let round = 0; round < 5; round++) {
      // Control planes change and the next check is due, repeatedly.
      const patch = { metadata: { labels: { round: String(round) } } };
      await cluster.client.patch(TenantControlPlane, { name: "blue", namespace }, { type: "merge", patch });
      clock.advance(61_000);
      await eventually(() => runtime.isIdle && runtime.delayed === 1, { what: "rest after a look" });
    }
    expect(written.slice(before)).toEqual([]);
    expect((await cluster.client.get(DataStore, { name: "busy" })).metadata.resourceVersion).toBe(
      metadata.resourceVersion,
    );
  });

  it("in use is not released", async () => {
    const etcd = await harness.startEtcd();
    await harness.createStore("held", [etcd.endpoint]);
    await run();
    await storeWith("held", "Ready");
    await harness.createControlPlane("blue", "held");
    await eventually(async () => (await cluster.client.get(DataStore, { name: "held" })).status?.usedBy?.length === 1);
    await cluster.client.delete(DataStore, { name: "held" });
    await storeWith("held", "InUse");
    await cluster.client.delete(TenantControlPlane, { name: "blue", namespace });
    const isGone = async () => (await cluster.client.find(DataStore, { name: "held" })) === undefined;
    await eventually(isGone, { timeoutMs: 10_000, what: "the end of the DataStore" });
  });
});

describe("unhealthy stores", () => {
  it("do not block others, and report the cause", async () => {
    const etcd = await harness.startEtcd();
    const proxy = new SlowProxy(etcd.endpoint);
    harness.later(() => proxy.stop());
    const silent = await proxy.start();
    proxy.delayMs = 600_000;
    for (let at = 0; at < 6; at++) await harness.createStore(`silent-${at}`, [silent]);
    await harness.createStore("down", ["127.0.0.1:1"]);
    await harness.createStore("lost", [etcd.endpoint], "no-such-secret");
    await run({ callLimitMs: 8_000 });
    const startedAtMs = performance.now();
    await harness.createStore("well", [etcd.endpoint]);
    await storeWith("well", "Ready");
    expect(performance.now() - startedAtMs).toBeLessThan(7_000);
    const messages = await Promise.all(
      [
        ["down", "Unreachable"],
        ["lost", "SecretMissing"],
        ["silent-0", "NotAnswering"],
      ].map(async ([name = "", reason = ""]) => {
        const { status } = await storeWith(name, reason);
        return findCondition(status?.conditions, "Ready")?.message;
      }),
    );
    expect(messages).toEqual([
      expect.stringMatching(/ECONNREFUSED.*Check that the etcd members are running/),
      expect.stringMatching(/Secret steward-system\/no-such-secret.* does not exist; Create it/),
      expect.stringMatching(/timed out.*load and disks/),
    ]);
  });

  it("recover on their own", async () => {
    const etcd = await harness.startEtcd();
    await harness.createStore("shaky", [etcd.endpoint]);
    const clock = new FakeClock();
    await run({ clock });
    await storeWith("shaky", "Ready");
    await etcd.kill();
    clock.advance(61_000);
    const { status } = await storeWith("shaky", "Unreachable");
    expect(status).toMatchObject({ version: "3.7.3", databaseSize: "1Mi" });
    await etcd.restart();
    await eventually(
      async () => {
        clock.advance(16_000);
        const found = await cluster.client.get(DataStore, { name: "shaky" });
        return findCondition(found.status?.conditions, "Ready")?.status === "True";
      },
      { intervalMs: 200, timeoutMs: 15_000, what: "a store that has recovered" },
    );
  });

  it("report a CA key that does not match the CA", async () => {
    const etcd = await harness.startEtcd();
    const other = await createAuthority("other");
    await harness.putSecret(await harness.issue("root"), { cert: harness.authority.cert, key: other.key });
    await harness.createStore("mixed", [etcd.endpoint]);
    await run();
    const { status } = await storeWith("mixed", "InvalidCredentials");
    expect(findCondition(status?.conditions, "Ready")?.message).toMatch(/certificateAuthority.*does not match/);
  });
});

describe("certificates of a store that Steward created", () => {
  it("are renewed in the last third of their lifetime, and used from then on", async () => {
    const etcd = await harness.startEtcd();
    // Three quarters of its lifetime have passed.
    const now = new Date(Date.now() - 36 * 3_600_000);
    const old = await issueCertificate(
      harness.authority,
      { commonName: "root", usages: ["client"] },
      { now, lifetimeMs: 48 * 3_600_000 },
    );
    const labels = { [dataStoreLabel]: "renewed" };
    const signer = { "ca.crt": harness.authority.cert, "ca.key": harness.authority.key };
    await harness.createSecret("renewed-ca", { texts: signer, labels });
    await harness.createSecret("renewed-root", {
      texts: { "tls.crt": old.cert, "tls.key": old.key },
      labels,
      annotations: { [signedByAnnotation]: "renewed-ca" },
    });
    const store = dataStoreAt("renewed", [etcd.endpoint]) as DynamicObject;
    const key = (name: string, keyPath: string) => ({ secretReference: { name, namespace, keyPath } });
    const tlsConfig = {
      certificateAuthority: { certificate: key("renewed-ca", "ca.crt"), privateKey: key("renewed-ca", "ca.key") },
      clientCertificate: { certificate: key("renewed-root", "tls.crt"), privateKey: key("renewed-root", "tls.key") },
    };
    await cluster.client.create(DataStore, {
      ...store,
      spec: { driver: "etcd", endpoints: [etcd.endpoint], tlsConfig },
    } as KubeObject);
    const { connections, written, runtime } = await run();
    await storeWith("renewed", "Ready");
    await eventually(() => runtime.isIdle, { what: "rest" });
    const secret = await cluster.client.get(builtinKinds.Secret, { name: "renewed-root", namespace });
    const cert = textOf(secret, "tls.crt") ?? "";
    const [was, is] = [readCertificate(old.cert), readCertificate(cert)];
    expect(is.notAfter.getTime()).toBeGreaterThan(was.notAfter.getTime());
    expect([is.commonName, is.usages]).toEqual([was.commonName, was.usages]);
    expect(written.filter((line) => line === "perform renewCertificate")).toHaveLength(1);
    await connections.refresh(await cluster.client.get(DataStore, { name: "renewed" }));
    expect((await connections.material("renewed")).client.cert).toBe(cert);
    await (await connections.admin("renewed")).status();
  });
});

describe("the controller's permissions", () => {
  it("suffice for its work, and no more", async () => {
    const etcd = await harness.startEtcd();
    const limited = await connectAsController(cluster, "data-store", [dataStoreController]);
    harness.later(() => limited.close());
    const running = await runDataStores(limited.client);
    harness.later(() => running.stop());
    await harness.createStore("limited", [etcd.endpoint]);
    await storeWith("limited", "Ready");
    await cluster.client.delete(DataStore, { name: "limited" });
    await eventually(async () => (await cluster.client.find(DataStore, { name: "limited" })) === undefined);
    await expect(limited.client.delete(builtinKinds.Secret, { name: storeSecret, namespace })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });
});
