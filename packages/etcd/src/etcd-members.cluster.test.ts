import { ensureTools } from "@butler/engine";
import { createAuthority, issueCertificate } from "@butler/pki";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EtcdAdmin } from "./etcd-admin.ts";
import { EtcdProcess } from "./testing/index.ts";

const tenant = (name: string) => ({ user: `tenant-${name}`, role: `tenant-${name}`, prefix: `/butler/${name}/` });

let members: EtcdProcess[];
let admin: EtcdAdmin;

beforeAll(async () => {
  const { etcd: program } = await ensureTools(["etcd"]);
  const authority = await createAuthority("etcd-members-test");
  const issue = (commonName: string) =>
    issueCertificate(authority, { commonName, usages: ["server", "client"], ipAddresses: ["127.0.0.1"] });
  members = await EtcdProcess.startCluster({ program, authority, issue }, 3);
  const endpoints = members.map(({ endpoint }) => endpoint);
  admin = new EtcdAdmin({ endpoints, ca: authority.cert, ...(await issue("root")) });
  await admin.enableAuth();
});
afterAll(async () => {
  admin?.close();
  await Promise.all((members ?? []).map((member) => member.stop()));
});

describe("an etcd with three members", () => {
  it("is one store through every member", async () => {
    const status = await admin.status();
    expect(status).toMatchObject({ memberCount: 3, isAuthEnabled: true, alarms: [] });
    expect(status.endpoints.every(({ fault }) => fault === undefined)).toBe(true);
    expect(status.leader).toMatch(/^\d+$/);
  });

  it("stays available without any one of them, frozen or dead", async () => {
    for (const [at, member] of members.entries()) {
      // A frozen member keeps its connections and does not respond; the others elect a leader if it was the leader.
      member.freeze();
      await eventually(() => admin.ensureTenant(tenant(`frozen-${at}`)).then(() => true), { timeoutMs: 20_000 });
      member.thaw();
      await member.kill();
      await eventually(() => admin.ensureTenant(tenant(`dead-${at}`)).then(() => true), { timeoutMs: 20_000 });
      const { endpoints, leader } = await admin.status();
      expect(leader).toBeDefined();
      expect(endpoints.filter(({ fault }) => fault !== undefined)).toHaveLength(1);
      await member.restart();
    }
    const users = await admin.listUsers();
    expect(users).toHaveLength(7);
    await Promise.all(users.slice(1).map((user) => admin.removeTenant(tenant(user.replace("tenant-", "")))));
    expect(await admin.listUsers()).toEqual(["root"]);
  });

  it("that has lost two reports no leader", async () => {
    await Promise.all(members.slice(1).map((member) => member.kill()));
    const status = await eventually(
      async () => {
        const answer = await admin.status();
        return answer.leader === undefined && answer;
      },
      { timeoutMs: 20_000, what: "the loss of the leader" },
    );
    expect(status).toMatchObject({ memberCount: undefined, isAuthEnabled: undefined });
    await expect(admin.ensureTenant(tenant("late"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await Promise.all(members.slice(1).map((member) => member.restart()));
    await eventually(() => admin.ensureTenant(tenant("late")).then(() => true), { timeoutMs: 20_000 });
  });
});
