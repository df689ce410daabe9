import { ensureTools } from "@butler/engine";
import { createAuthority, issueCertificate } from "@butler/pki";
import { Forbidden, InvalidInput } from "@butler/std";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EtcdAdmin } from "./etcd-admin.ts";
import type { EtcdConnection } from "./etcd-calls.ts";
import type { EtcdTenant } from "./tenant-access.ts";
import { EtcdKeys, EtcdProcess } from "./testing/index.ts";

const tenant = (name: string): EtcdTenant => ({
  user: `tenant-${name}`,
  role: `tenant-${name}`,
  prefix: `/butler/${name}/`,
});

let etcd: EtcdProcess;
let root: EtcdConnection;
let admin: EtcdAdmin;
/** A client with root permissions, for inspection and for injecting faults. */
let rootKeys: EtcdKeys;
const opened: { close(): void }[] = [];

async function keysOf(user: string): Promise<EtcdKeys> {
  const keys = new EtcdKeys(await etcd.connectionOf(user));
  opened.push(keys);
  return keys;
}

/** A tenant that was created, with a client of its own. */
async function newTenant(name: string) {
  await admin.ensureTenant(tenant(name));
  return { ...tenant(name), keys: await keysOf(`tenant-${name}`) };
}

beforeAll(async () => {
  const { etcd: program } = await ensureTools(["etcd"]);
  const authority = await createAuthority("etcd-tenants-test");
  const place = { dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
  const issue = (commonName: string) =>
    issueCertificate(authority, { commonName, usages: ["server", "client"], ...place });
  etcd = await EtcdProcess.start({ program, authority, issue });
  root = await etcd.connectionOf("root");
  admin = new EtcdAdmin(root);
  rootKeys = new EtcdKeys(root);
  opened.push(admin, rootKeys);
});
afterAll(async () => {
  for (const one of opened) one.close();
  await etcd?.stop();
});

describe("an etcd before authentication is enabled", () => {
  it("accepts no tenant", async () => {
    const refusal = admin.ensureTenant(tenant("early"));
    await expect(refusal).rejects.toBeInstanceOf(Forbidden);
    await expect(refusal).rejects.toThrow(/authentication disabled/);
    expect(await admin.listUsers()).toEqual([]);
    expect(await admin.listRoles()).toEqual([]);
  });

  it("does not let a user lock out all others", async () => {
    const other = new EtcdAdmin(await etcd.connectionOf("not-root"));
    await expect(other.enableAuth()).rejects.toBeInstanceOf(InvalidInput);
    other.close();
    expect(await admin.listUsers()).toEqual([]);
    expect((await admin.status()).isAuthEnabled).toBe(false);
  });

  it("resumes an interrupted attempt, and a repetition changes nothing", async () => {
    await rootKeys.addUserWithoutRole("root");
    await admin.enableAuth();
    expect(await rootKeys.rolesOf("root")).toEqual(["root"]);
    await admin.enableAuth();
    expect(await admin.listUsers()).toEqual(["root"]);
    expect(await admin.status()).toMatchObject({ isAuthEnabled: true, alarms: [], memberCount: 1 });
  });

  it("denies clients without a user afterwards", async () => {
    const stranger = await keysOf("stranger");
    await expect(stranger.get("/butler/x")).rejects.toBeInstanceOf(Forbidden);
  });
});

describe("tenants of one etcd", () => {
  beforeAll(() => admin.enableAuth());

  it("cannot read, write, count or list what belongs to another", async () => {
    const [blue, green] = [await newTenant("blue"), await newTenant("green")];
    await blue.keys.put("/butler/blue/registry/secrets/a", "hidden");
    await green.keys.put("/butler/green/registry/secrets/a", "own");
    expect(await blue.keys.get("/butler/blue/registry/secrets/a")).toBe("hidden");
    for (const attempt of [
      () => green.keys.get("/butler/blue/registry/secrets/a"),
      () => green.keys.put("/butler/blue/registry/secrets/a", "changed"),
      () => green.keys.list("/butler/blue/"),
      () => green.keys.list("/butler/"),
      () => green.keys.list(""),
      // The keys just outside of its own range, on both sides.
      () => green.keys.get("/butler/green"),
      () => green.keys.get("/butler/green0"),
    ]) {
      await expect(attempt()).rejects.toBeInstanceOf(Forbidden);
    }
    expect(await green.keys.list("/butler/green/")).toEqual(["/butler/green/registry/secrets/a"]);
    expect(await blue.keys.get("/butler/blue/registry/secrets/a")).toBe("hidden");
  });

  it("cannot see or change users and roles", async () => {
    await newTenant("curious");
    const curious = new EtcdAdmin(await etcd.connectionOf("tenant-curious"));
    opened.push(curious);
    await expect(curious.listUsers()).rejects.toBeInstanceOf(Forbidden);
    await expect(curious.listRoles()).rejects.toBeInstanceOf(Forbidden);
    await expect(curious.ensureTenant(tenant("friend"))).rejects.toBeInstanceOf(Forbidden);
    await newTenant("victim");
    await expect(curious.removeTenant(tenant("victim"))).rejects.toBeInstanceOf(Forbidden);
    await expect((await keysOf("tenant-curious")).widen("tenant-curious", "/butler/")).rejects.toBeInstanceOf(
      Forbidden,
    );
    expect(await admin.listUsers()).toContain("tenant-victim");
  });

  it("cannot take over root's name or leave their prefix open", async () => {
    const good = tenant("odd");
    for (const bad of [
      { ...good, user: "root" },
      { ...good, role: "root" },
      { ...good, user: "" },
      { ...good, prefix: "/butler/odd" },
      { ...good, prefix: "" },
      { ...good, prefix: "/" },
      { ...good, prefix: "//" },
    ]) {
      await expect(admin.ensureTenant(bad)).rejects.toBeInstanceOf(InvalidInput);
      await expect(admin.removeTenant(bad)).rejects.toBeInstanceOf(InvalidInput);
    }
    expect(await admin.listUsers()).not.toContain("tenant-odd");
  });
});

describe("creating a tenant", () => {
  beforeAll(() => admin.enableAuth());

  it("is idempotent", async () => {
    await newTenant("twice");
    const before = await rootKeys.accessRevision();
    await admin.ensureTenant(tenant("twice"));
    expect(await rootKeys.accessRevision()).toBe(before);
    expect(await rootKeys.permissionsOf("tenant-twice")).toEqual([
      { permType: "READWRITE", key: "/butler/twice/", rangeEnd: "/butler/twice0" },
    ]);
  });

  it("repairs permissions that were widened manually", async () => {
    const { keys } = await newTenant("wide");
    await rootKeys.put("/butler/other/key", "theirs");
    await rootKeys.widen("tenant-wide", "/butler/");
    await rootKeys.widen("tenant-wide", "");
    await rootKeys.grantRole("tenant-wide", "root");
    expect(await keys.get("/butler/other/key")).toBe("theirs");
    await admin.ensureTenant(tenant("wide"));
    await expect(keys.get("/butler/other/key")).rejects.toBeInstanceOf(Forbidden);
    await keys.put("/butler/wide/a");
    expect(await rootKeys.rolesOf("tenant-wide")).toEqual(["tenant-wide"]);
    expect(await rootKeys.permissionsOf("tenant-wide")).toHaveLength(1);
  });

  it("resumes from every point of interruption", async () => {
    const whole = tenant("parts");
    await admin.ensureTenant(whole);
    for (const damage of [
      () => rootKeys.removeRole("tenant-parts"),
      () => rootKeys.removeUser("tenant-parts"),
      () => rootKeys.narrow("tenant-parts", "/butler/parts/"),
    ]) {
      await damage();
      await admin.ensureTenant(whole);
      await (await keysOf("tenant-parts")).put("/butler/parts/a");
    }
  });

  it("works for many concurrently, while others write and are removed", async () => {
    const names = Array.from({ length: 20 }, (_, at) => `many-${at}`);
    const leaving = await newTenant("leaving");
    await leaving.keys.putMany(Array.from({ length: 3_000 }, (_, at) => `/butler/leaving/${at}`));
    await Promise.all([
      ...names.map((name) => admin.ensureTenant(tenant(name))),
      new EtcdAdmin(root, { deletePageSize: 50 }).removeTenant(leaving),
    ]);
    const users = await admin.listUsers();
    expect(users).toEqual(expect.arrayContaining(names.map((name) => `tenant-${name}`)));
    expect(users).not.toContain("tenant-leaving");
    expect(await admin.countKeys("/butler/leaving/")).toBe(0);
    await Promise.all(names.map((name) => admin.removeTenant(tenant(name))));
    expect((await admin.listRoles()).filter((role) => role.startsWith("tenant-many"))).toEqual([]);
  });
});

describe("removing a tenant", () => {
  beforeAll(() => admin.enableAuth());

  it("deletes 25,000 keys in pages, and no other tenant's", async () => {
    const [big, beside] = [await newTenant("big"), await newTenant("bigger")];
    await big.keys.putMany(Array.from({ length: 25_000 }, (_, at) => `/butler/big/registry/pods/${at}`));
    await beside.keys.put("/butler/bigger/kept");
    await rootKeys.put("/butler/big", "no tenant's");
    expect(await admin.countKeys(big.prefix)).toBe(25_000);
    const before = await rootKeys.revision();
    await admin.removeTenant(tenant("big"));
    expect((await rootKeys.revision()) - before).toBe(25);
    expect(await admin.countKeys(big.prefix)).toBe(0);
    expect(await admin.countKeys(beside.prefix)).toBe(1);
    expect(await rootKeys.get("/butler/big")).toBe("no tenant's");
    expect(await admin.listUsers()).not.toContain("tenant-big");
    expect(await admin.listRoles()).not.toContain("tenant-big");
  });

  it("resumes after an interruption, with no writes in between", async () => {
    const { keys, prefix } = await newTenant("stopped");
    await keys.putMany(Array.from({ length: 2_000 }, (_, at) => `/butler/stopped/${at}`));
    const stop = new AbortController();
    const slow = new EtcdAdmin(root, { deletePageSize: 10 });
    opened.push(slow);
    const removal = slow.removeTenant(tenant("stopped"), stop.signal);
    const outcome = expect(removal).rejects.toThrow("enough");
    await expect.poll(() => admin.countKeys(prefix), { interval: 5 }).toBeLessThan(2_000);
    stop.abort(new Error("enough"));
    await outcome;
    const left = await admin.countKeys(prefix);
    expect(left).toBeGreaterThan(0);
    await expect(keys.put("/butler/stopped/late")).rejects.toBeInstanceOf(Forbidden);
    expect(await admin.listRoles()).toContain("tenant-stopped");
    await admin.removeTenant(tenant("stopped"));
    expect(await admin.countKeys(prefix)).toBe(0);
    expect(await admin.listRoles()).not.toContain("tenant-stopped");
  });

  it("that was removed, or never existed, is no error", async () => {
    await newTenant("gone");
    await admin.removeTenant(tenant("gone"));
    await admin.removeTenant(tenant("gone"));
    await admin.removeTenant(tenant("never"));
  });
});
