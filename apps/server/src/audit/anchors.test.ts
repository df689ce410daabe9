import type { AuditSegment } from "@butler/api";
import { AlreadyExists } from "@butler/kube";
import type { DynamicObject } from "@butler/resource";
import { Conflict } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { FakeClock } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anchorsOfSegments, openAnchors, sealAnchors, withHead, withoutSegments } from "./anchors.ts";
import { AuditAnchor, type AuditAnchorOptions } from "./audit-anchor.ts";
import { aRecord, segmentsOf } from "./testing/records.ts";
import { verifySegments } from "./verify.ts";
import { logVerifier } from "./verify-log.ts";

const records = (count: number) => Array.from({ length: count }, (_none, at) => aRecord({ requestId: `r${at}` }));
const [one, two] = [await segmentsOf(records(20), "one"), await segmentsOf(records(12), "two")];
const all = [...one, ...two];
const anchored = anchorsOfSegments(all);
const breaksOf = (segments: readonly AuditSegment[]) =>
  Object.fromEntries(verifySegments(segments, anchored).map((verdict) => [verdict.chain, verdict.break]));

describe("anchors outside of the segments", () => {
  it("are satisfied by the whole log, also by later records and a chain that is not anchored yet", async () => {
    expect(breaksOf(all)).toEqual({ one: undefined, two: undefined });
    expect(breaksOf([...all, ...(await segmentsOf(records(1), "three"))])).toMatchObject({ three: undefined });
    const early = { ...anchored, one: anchorsOfSegments(one.slice(0, 1))["one"] ?? { first: 0, last: 0, hash: "" } };
    expect(verifySegments(all, early).every((verdict) => verdict.break === undefined)).toBe(true);
  });

  it.each<[string, AuditSegment[], object]>([
    ["the first segment", all.slice(1), { one: { number: 1, reason: "missing" } }],
    ["the first two segments", all.slice(2), { one: { number: 1, reason: "missing" } }],
    ["the last segment", [...one.slice(0, -1), ...two], { one: { number: 20, reason: "cut" } }],
    ["a whole chain", one, { one: undefined, two: { number: 1, reason: "missing" } }],
    ["everything", [], { one: { number: 1, reason: "missing" }, two: { number: 1, reason: "missing" } }],
  ])("report that %s was deleted", (_what, left, expected) => expect(breaksOf(left)).toMatchObject(expected));

  it("report a chain that was replaced by other records", async () => {
    const other = await segmentsOf(
      Array.from({ length: 20 }, () => aRecord({ user: "eve@example.com" })),
      "one",
    );
    expect(breaksOf([...other, ...two])).toMatchObject({ one: { reason: "changed" } });
  });

  it("accept what has expired, from the beginning of a chain or the whole chain", () => {
    for (const gone of [one.slice(0, 1), one.slice(0, 3), one]) {
      const kept = all.filter((segment) => !gone.includes(segment));
      const rest = withoutSegments(anchored, { gone, kept });
      // Before and after the deletion.
      for (const left of [all, kept]) {
        expect(verifySegments(left, rest).every((verdict) => verdict.break === undefined)).toBe(true);
      }
    }
  });

  it("move forward only", () => {
    const head = { chain: "one", number: 30, hash: "f".repeat(64) };
    expect(withHead(anchored, head, 5)["one"]).toEqual({ first: 1, last: 30, hash: head.hash });
    expect(withHead(anchored, { ...head, number: 19 }, 1)).toBe(anchored);
    expect(withHead({}, head, 5)["one"]).toMatchObject({ first: 5, last: 30 });
  });

  it("cannot be changed without their key, in any bit", () => {
    const key = new Uint8Array(32).fill(1);
    const sealed = sealAnchors(anchored, key);
    expect(openAnchors(sealed, key)).toEqual(anchored);
    expect(openAnchors(sealed, new Uint8Array(32).fill(2))).toBeUndefined();
    expect(openAnchors({ ...sealed, mac: "" }, key)).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(sealed.chains.length - 1), fc.constantFrom("0", "9", "x", ""), (at, put) => {
        const chains = sealed.chains.slice(0, at) + put + sealed.chains.slice(at + 1);
        fc.pre(chains !== sealed.chains);
        expect(openAnchors({ ...sealed, chains }, key)).toBeUndefined();
      }),
    );
  });
});

/** The Secret, with optimistic locking as at the API server. */
class FakeSecret {
  object: DynamicObject | undefined;
  #version = 0;

  readonly client = {
    find: () => Promise.resolve(this.object),
    create: (_kind: unknown, object: unknown) => {
      if (this.object !== undefined) return Promise.reject(new AlreadyExists("exists"));
      return Promise.resolve(this.#store(object as DynamicObject));
    },
    replace: (_kind: unknown, object: unknown) => {
      const { metadata } = object as DynamicObject;
      const isCurrent = metadata.resourceVersion === this.object?.metadata.resourceVersion;
      return isCurrent
        ? Promise.resolve(this.#store(object as DynamicObject))
        : Promise.reject(new Conflict("modified"));
    },
  } as unknown as AuditAnchorOptions["client"];

  #store(object: DynamicObject): DynamicObject {
    const metadata = { ...object.metadata, resourceVersion: String(++this.#version) };
    return (this.object = { ...object, metadata });
  }
}

function anAnchor(secret: FakeSecret, stored: readonly AuditSegment[] = []) {
  const key = { name: "butler-audit-anchor", namespace: "butler-system" };
  const segments = () => Promise.resolve(stored);
  return new AuditAnchor({ client: secret.client, key, segments, clock: new FakeClock(), logger: silentLogger });
}

const head = (chain: string, number: number) => ({ chain, number, hash: `${number}`.padStart(64, "0"), timestamp: "" });

describe("the anchor of replicas", () => {
  it("has the heads of all of them, and of chains from before", async () => {
    const secret = new FakeSecret();
    const [first, second] = [anAnchor(secret, two), anAnchor(secret)];
    expect(await first.read()).toEqual({ state: "pending" });
    first.note(head("a", 3), 1);
    second.note(head("b", 5), 1);
    await Promise.all([first.flush(), second.flush()]);
    const reading = await second.read();
    expect(reading).toMatchObject({ state: "valid", chains: { a: { last: 3 }, b: { last: 5 }, two: { last: 12 } } });
    await Promise.all([first.close(), second.close()]);
  });

  it("tells that it was deleted or changed, and does not overwrite what was changed", async () => {
    const secret = new FakeSecret();
    const anchor = anAnchor(secret, all);
    anchor.note(head("a", 3), 1);
    await anchor.flush();
    const kept = secret.object;
    secret.object = undefined;
    expect(await anchor.read()).toEqual({ state: "missing" });
    // With another key all hashes are right, too.
    const forger = anAnchor(secret);
    forger.note(head("a", 3), 1);
    await forger.flush();
    expect(await anchor.read()).toEqual({ state: "changed" });
    const data = kept?.["data"] as Record<string, string>;
    const chains = Buffer.from("{}").toString("base64");
    if (kept !== undefined) secret.object = { ...kept, data: { ...data, chains } };
    expect(await anAnchor(secret).read()).toEqual({ state: "changed" });
    anchor.note(head("a", 4), 1);
    await expect(anchor.flush()).rejects.toThrow("were modified by another client");
    await Promise.all([anchor.close(), forger.close()]);
  });

  it("of a running server outlives its deletion", async () => {
    const secret = new FakeSecret();
    const anchor = anAnchor(secret, all);
    anchor.note(head("a", 3), 1);
    await anchor.flush();
    secret.object = undefined;
    anchor.note(head("a", 4), 1);
    await anchor.flush();
    expect(await anchor.read()).toMatchObject({ state: "valid", chains: { one: { first: 1 }, a: { last: 4 } } });
    await anchor.close();
  });
});

describe("the verification of the whole log", () => {
  const valid = { read: () => Promise.resolve({ state: "valid", chains: anchored } as const) };

  it("reads again before it reports what memory lacks", async () => {
    const verify = logVerifier({ anchor: valid, cached: () => one, stored: () => Promise.resolve(all) });
    expect(await verify()).toMatchObject({ isIntact: true, anchor: "valid" });
  });

  it.each<[string, AuditSegment[]]>([
    ["the first segment", all.slice(1)],
    ["a whole chain", one],
    ["everything", []],
  ])("reports a log that lacks %s", async (_what, left) => {
    const verify = logVerifier({ anchor: valid, cached: () => left, stored: () => Promise.resolve(left) });
    expect(await verify()).toMatchObject({ isIntact: false });
  });

  it.each(["missing", "changed"] as const)("reports anchors that are %s", async (state) => {
    const read = () => Promise.resolve({ state });
    const verify = logVerifier({ anchor: { read }, cached: () => all, stored: () => Promise.resolve(all) });
    expect(await verify()).toMatchObject({ isIntact: false, anchor: state });
  });
});
