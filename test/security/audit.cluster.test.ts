import { AuditSegment, namespaces } from "@butler/api";
import { builtinKinds } from "@butler/resource";
import type { Browser, WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { people, send, startPlatform } from "./lib/platform.ts";

let platform: WholeServer;
let root: Browser;

beforeAll(async () => {
  platform = await startPlatform("security-audit");
  root = await platform.signInAs({ email: people.root });
});

afterAll(() => platform?.stop());

const segments = async () => (await platform.cluster.client.list(AuditSegment)).items;
const lines = async () => (await segments()).flatMap(({ spec }) => spec.lines.trimEnd().split("\n"));
const post = (path: string, body: object) =>
  fetch(`${platform.url}/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const verify = async () => (await send(root, `${platform.url}/api/admin/audit/verify`)).body;

describe("the audit log", () => {
  it("hole 10: cannot be washed out without a session", async () => {
    const before = await lines();
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => post("logout", {})));
      for (const { status } of answers) expect(status).toBe(200);
      expect((await post("refresh", {})).status).toBe(401);
    }
    expect((await lines()).length).toBe(before.length);
    // Wrong passwords are recorded, up to a limit of their source.
    await Promise.all(Array.from({ length: 60 }, (_none, at) => post("login", { email: `x${at}@y.z`, password: "x" })));
    const failed = (await lines()).filter((line) => line.includes('"action":"sign-in"') && line.includes("false"));
    expect(failed.length).toBeGreaterThan(5);
    expect(failed.length).toBeLessThanOrEqual(30);
    expect(await verify()).toMatchObject({ isIntact: true });
  });

  it("hole 10: reports a deleted chain, and a deleted log", async () => {
    const { client } = platform.cluster;
    const another = await platform.startAnother();
    const body = { email: "another@example.com", role: "no role" };
    await send(root, `${another.url}/api/teams/payments/members`, { method: "POST", body });
    const ofOther = (await segments()).find(({ spec }) => spec.lines.includes("/api/teams/payments/members"));
    if (ofOther === undefined) throw new Error("there is no segment");
    // Stopped, it has anchored what it wrote.
    await another.stop();
    await eventually(async () => (await verify())["anchor"] === "valid");
    expect(await verify()).toMatchObject({ isIntact: true });
    await client.delete(AuditSegment, { name: ofOther.metadata.name });
    expect(await verify()).toMatchObject({
      isIntact: false,
      chains: expect.arrayContaining([
        expect.objectContaining({ chain: ofOther.spec.chain, break: { number: 1, reason: "missing" } }),
      ]) as unknown,
    });
    for (const { metadata } of await segments()) await client.delete(AuditSegment, { name: metadata.name });
    const verdict = await verify();
    expect(verdict["isIntact"]).toBe(false);
    // A server that starts afterwards tells the same.
    const later = await platform.startAnother();
    expect((await send(root, `${later.url}/api/admin/audit/verify`)).body["isIntact"]).toBe(false);
    // Nor can the anchors be changed or deleted unnoticed.
    const anchor = { name: "butler-audit-anchor", namespace: namespaces.system };
    const data = { chains: Buffer.from("{}").toString("base64") };
    await client.patch(builtinKinds.Secret, anchor, { type: "merge", patch: { data } });
    expect(await verify()).toMatchObject({ isIntact: false, anchor: "changed" });
    await client.delete(builtinKinds.Secret, anchor);
    expect(await verify()).toMatchObject({ isIntact: false, anchor: "missing" });
  });
});
