import type { AuditSegment } from "@butler/api";
import { readLine } from "@butler/audit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendRecords, chainName, emptyChain } from "./chain.ts";
import { type NewRecord, withoutSecrets } from "./record-line.ts";
import { planRetention } from "./retention.ts";
import { FakeSegments, type Fate } from "./testing/fake-segments.ts";
import { aRecord, aWriter, segmentsOf } from "./testing/records.ts";
import { verifyLines, verifySegments } from "./verify.ts";

const records = (count: number): NewRecord[] =>
  Array.from({ length: count }, (_none, at) => ({ phase: "outcome", record: aRecord({ requestId: `r${at}` }) }));
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

describe("a chain of records", () => {
  it("verifies as written, in any number of batches", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 }), (batches) => {
        let head = emptyChain("c");
        let text = "";
        for (const size of batches) {
          const appended = appendRecords(head, records(size));
          text += textOf(appended.lines);
          ({ head } = appended);
        }
        const verdict = verifyLines(text);
        expect(verdict).toMatchObject({ firstNumber: 1, lastNumber: head.number, lastHash: head.hash, isTorn: false });
        expect(verdict.break).toBeUndefined();
      }),
    );
  });

  it("detects a change to any line but the last, at that line", () => {
    const { lines } = appendRecords(emptyChain("c"), records(6));
    fc.assert(
      fc.property(fc.nat(4), fc.constantFrom("user", "path", "success", "timestamp"), (at, field) => {
        const changed = lines.map((line, index) =>
          index === at ? JSON.stringify({ ...readLine(line), [field]: "forged" }) : line,
        );
        expect(verifyLines(textOf(changed)).break).toEqual({ number: at + 1, reason: "changed" });
      }),
    );
  });

  it("detects a removed line", () => {
    const { lines } = appendRecords(emptyChain("c"), records(6));
    for (let at = 1; at < 5; at++) {
      expect(verifyLines(textOf(lines.toSpliced(at, 1))).break).toEqual({ number: at + 1, reason: "missing" });
    }
  });

  it("distinguishes a truncated copy from a modified one", () => {
    const text = textOf(appendRecords(emptyChain("c"), records(4)).lines);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: text.length - 1 }), (length) => {
        const cut = text.slice(0, length);
        const verdict = verifyLines(cut);
        expect(verdict.break).toBeUndefined();
        expect(verdict.isTorn).toBe(!cut.endsWith("\n"));
      }),
    );
    expect(verifyLines(`${text}{"half":\n`).break).toEqual({ number: 5, reason: "unreadable" });
  });

  it("keeps its order when the clock goes backwards, and records the clock time", () => {
    const at = (timestamp: string): NewRecord => ({ phase: "outcome", record: aRecord({ timestamp }) });
    const { lines } = appendRecords(emptyChain("c"), [at("2026-06-01T12:00:00.000Z"), at("2026-06-01T11:00:00.000Z")]);
    expect(readLine(lines[1] ?? "")).toMatchObject({
      timestamp: "2026-06-01T12:00:00.000Z",
      clock: "2026-06-01T11:00:00.000Z",
    });
  });

  it("has a name that sorts by start time", () => {
    expect(chainName(new Date("2026-06-01T12:34:56.789Z"), "ab12")).toBe("20260601t123456-ab12");
  });
});

describe("records", () => {
  it("contain no secrets, in any field", () => {
    const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".split("");
    const canary = fc
      .array(fc.constantFrom(...alphabet), { minLength: 40, maxLength: 60 })
      .map((letters) => `a1${letters.join("")}`);
    const place = fc.constantFrom("path", "resourceName", "resourceNamespace", "teamRef", "code", "fields", "user");
    fc.assert(
      fc.property(
        canary,
        place,
        fc.constantFrom("", "Bearer ", "/api/auth/invites/", "x?token="),
        (secret, name, before) => {
          const value = name === "fields" ? [`spec.${before}${secret}`] : before + secret;
          expect(JSON.stringify(withoutSecrets(aRecord({ [name]: value })))).not.toContain(secret);
        },
      ),
    );
  });

  it("keep names, addresses and paths unchanged", () => {
    const record = aRecord({
      path: "/api/clusters/payments-platform-team/a-rather-long-name-of-a-cluster-in-europe-west-1",
      user: "ada.lovelace@engineering.example.com",
      requestId: "0123456789abcdef0123456789abcdef0123",
      fields: ["spec.workers.machineTemplate.resources.memory"],
    });
    expect(withoutSecrets(record)).toEqual(record);
  });
});

describe("segments", () => {
  it("verify across segments, and after the first ones have expired", async () => {
    const segments = await segmentsOf(Array.from({ length: 30 }, (_none, at) => aRecord({ requestId: `r${at}` })));
    expect(segments.length).toBeGreaterThan(3);
    expect(verifySegments(segments)).toEqual([
      { chain: "one", firstNumber: 1, lastNumber: 30, isBeginningExpired: false, isEnded: false, break: undefined },
    ]);
    expect(verifySegments(segments.slice(2))[0]).toMatchObject({ isBeginningExpired: true, break: undefined });
    expect(verifySegments(segments.toSpliced(1, 1))[0]?.break).toMatchObject({ reason: "missing" });
  });

  it("detect a change to the last line", async () => {
    const [segment] = await segmentsOf([aRecord(), aRecord({ user: "eve@example.com" })]);
    const forged = change(segment, (lines) => lines.replace("eve@example.com", "bob@example.com"));
    expect(verifySegments([forged])[0]?.break).toEqual({ number: 2, reason: "changed" });
    const shorter = change(segment, (lines) => lines.slice(0, lines.indexOf("\n") + 1));
    expect(verifySegments([shorter])[0]?.break).toEqual({ number: 2, reason: "missing" });
  });

  it("detect a truncated chain that a later chain has anchored", async () => {
    const first = await segmentsOf(Array.from({ length: 20 }, () => aRecord()));
    const last = first.at(-1)?.spec;
    const later = new FakeSegments();
    const anchors = { one: `20:${last?.lastHash}` };
    await aWriter({ client: later.client }).store([{ phase: "outcome", record: aRecord(), anchors }]);
    expect(verifySegments([...first, ...later.list()]).every((chain) => chain.break === undefined)).toBe(true);
    const cut = verifySegments([...first.slice(0, -1), ...later.list()]);
    expect(cut.find(({ chain }) => chain === "one")?.break).toEqual({ number: 20, reason: "cut" });
  });

  it("lose no acknowledged record and never fork, whatever the result of writes", async () => {
    const fate = fc.constantFrom<Fate>("fine", "fine", "lost-answer", "late", "refused");
    const step = fc.record({
      count: fc.integer({ min: 1, max: 4 }),
      fates: fc.array(fate, { maxLength: 2 }),
      arrives: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12, size: "max" }),
        fc.constantFrom(0, 200),
        async (steps, giveUpMs) => {
          const segments = new FakeSegments();
          const writer = aWriter({ client: segments.client, giveUpMs });
          const acknowledged: string[] = [];
          let next = 0;
          for (const { count, fates, arrives } of steps) {
            const batch = Array.from({ length: count }, () => `r${next++}`);
            segments.fates.push(...fates);
            try {
              await writer.store(batch.map((requestId) => ({ phase: "outcome", record: aRecord({ requestId }) })));
              acknowledged.push(...batch);
            } catch {
              // Not acknowledged: it may or may not be stored.
            }
            if (arrives) segments.arrive();
          }
          segments.arrive();
          const verdicts = verifySegments(segments.list());
          expect(verdicts.length).toBeLessThanOrEqual(1);
          for (const verdict of verdicts) expect(verdict.break).toBeUndefined();
          const kept = segments
            .list()
            .flatMap(({ spec }) => spec.lines.split("\n").flatMap((line) => readLine(line)?.requestId ?? []));
          expect(kept).toEqual(expect.arrayContaining(acknowledged));
          expect(new Set(kept).size).toBe(kept.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("continue in a new segment after the current one was deleted", async () => {
    const segments = new FakeSegments();
    const writer = aWriter({ client: segments.client, giveUpMs: 1_000 });
    await writer.store(records(1));
    segments.stored.clear();
    await writer.store(records(1));
    expect(segments.list().map(({ spec }) => [spec.sequence, spec.firstRecord])).toEqual([[2, 2]]);
  });

  it("start a new chain after another writer modified the current one", async () => {
    const segments = new FakeSegments();
    const writer = aWriter({ client: segments.client, giveUpMs: 1_000 });
    await writer.store(records(1));
    const [name, foreign] = [...segments.stored][0] ?? [];
    segments.stored.set(name ?? "", {
      ...change(foreign, (lines) => `${lines}{"forged":true}\n`),
      metadata: { name: name ?? "", resourceVersion: "99" },
    });
    const forged = segments.stored.get(name ?? "");
    if (forged !== undefined) forged.spec.lastHash = "f".repeat(64);
    await writer.store(records(1));
    const verdicts = verifySegments(segments.list());
    expect(verdicts).toHaveLength(2);
    expect(verdicts.filter((verdict) => verdict.break !== undefined)).toHaveLength(1);
  });
});

describe("retention", () => {
  const policy = { maximumAgeMs: 3_600_000, maximumBytes: 5_000 };

  it("deletes expired segments and the oldest beyond the maximum size, always from the beginning of a chain", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 40 }), async (minutes, count) => {
        const begin = Date.parse("2026-06-01T12:00:00Z");
        const segments = await segmentsOf(
          Array.from({ length: count }, (_none, at) =>
            aRecord({ timestamp: new Date(begin + at * 60_000).toISOString() }),
          ),
        );
        const now = new Date(begin + (count + minutes) * 60_000);
        const gone = planRetention(segments, { now, policy });
        const kept = segments.filter((segment) => !gone.includes(segment));
        expect(gone).toEqual(segments.slice(0, gone.length));
        const oldest = new Date(now.getTime() - policy.maximumAgeMs).toISOString();
        expect(kept.every(({ spec }) => spec.lastTime >= oldest)).toBe(true);
        const bytes = kept.reduce((sum, { spec }) => sum + spec.lines.length, 0);
        expect(kept.length <= 1 || bytes <= policy.maximumBytes).toBe(true);
        expect(verifySegments(kept).every((verdict) => verdict.break === undefined)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

function change(segment: AuditSegment | undefined, edit: (lines: string) => string): AuditSegment {
  if (segment === undefined) throw new Error("there is no segment");
  return { ...segment, spec: { ...segment.spec, lines: edit(segment.spec.lines) } };
}
