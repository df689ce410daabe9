import type { AuditSegment } from "@butler/api";
import { type AuditPosition, type AuditQuery, searchSegments } from "@butler/audit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuditRecord } from "../ports.ts";
import { type ExportCursors, nextExport } from "./export.ts";
import { auditHandlers } from "./handlers.ts";
import { aRecord, segmentsOf } from "./testing/records.ts";
import { verifyLines } from "./verify.ts";

const users = ["ada@example.com", "bob@example.com"];
const actions = ["create", "delete", "scale"];

const someRecord: fc.Arbitrary<AuditRecord> = fc
  .record({
    minute: fc.nat(40),
    user: fc.constantFrom(...users),
    action: fc.constantFrom(...actions),
    teamRef: fc.constantFrom("payments", "search"),
    statusCode: fc.constantFrom(200, 403),
    resourceName: fc.constantFrom("shop", 'tricky"name', "Back\\slash"),
  })
  .map(({ minute, statusCode, ...rest }) =>
    aRecord({
      ...rest,
      statusCode,
      success: statusCode < 400,
      timestamp: new Date(Date.parse("2026-06-01T12:00:00Z") + minute * 60_000).toISOString(),
    }),
  );

const someQuery: fc.Arbitrary<AuditQuery> = fc.record(
  {
    user: fc.constantFrom(...users, "ADA@example.com "),
    action: fc.constantFrom(...actions),
    teamRef: fc.constantFrom("payments", "search"),
    success: fc.boolean(),
    resourceName: fc.constantFrom("shop", 'tricky"name'),
    from: fc.constant("2026-06-01T12:10:00.000Z"),
    to: fc.constant("2026-06-01T12:30:00.000Z"),
    search: fc.constantFrom("SHOP", "shop payments", 'y"na', "back\\"),
  },
  { requiredKeys: [] },
);

async function segmentsFrom(chains: readonly (readonly AuditRecord[])[]): Promise<AuditSegment[]> {
  const made = await Promise.all(chains.map((records, at) => segmentsOf(records, `chain-${at}`)));
  return made.flat();
}

/** The same by a full scan. */
function expected(segments: readonly AuditSegment[], query: AuditQuery): string[] {
  const all = segments.flatMap(({ spec }) =>
    spec.lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditRecord & { id: string; number: number }),
  );
  const words = (query.search ?? "").toLowerCase().split(" ").filter(Boolean);
  const chainOf = (id: string): string => id.split(".")[0] ?? "";
  const wanted = { ...query, user: query.user?.trim().toLowerCase() };
  const exact = ["user", "action", "teamRef", "resourceName", "success"] as const;
  return all
    .filter((record) => {
      const text = Object.values(record).join(" ").toLowerCase();
      return (
        exact.every((field) => wanted[field] === undefined || record[field] === wanted[field]) &&
        record.timestamp >= (query.from ?? "") &&
        record.timestamp <= (query.to ?? "9") &&
        words.every((word) => text.includes(word))
      );
    })
    .sort((left, right) => {
      if (left.timestamp !== right.timestamp) return left.timestamp < right.timestamp ? 1 : -1;
      if (chainOf(left.id) !== chainOf(right.id)) return chainOf(left.id) < chainOf(right.id) ? 1 : -1;
      return right.number - left.number;
    })
    .map(({ id }) => id);
}

describe("search", () => {
  it("returns the same as a full scan, newest first, with any page size", async () => {
    const chains = fc.array(fc.array(someRecord, { maxLength: 25 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(chains, someQuery, fc.integer({ min: 1, max: 7 }), async (records, query, limit) => {
        const segments = await segmentsFrom(records);
        const found: string[] = [];
        let after: AuditPosition | undefined;
        for (;;) {
          const page = [...searchSegments(segments, query, after)].slice(0, limit);
          found.push(...page.map(({ record }) => record.id));
          after = page.at(-1)?.position;
          if (page.length < limit) break;
        }
        expect(found).toEqual(expected(segments, query));
      }),
      { numRuns: 150 },
    );
  });

  it("returns an intent record only if there is no outcome record", async () => {
    const intent = (requestId: string): AuditRecord => aRecord({ requestId, statusCode: 0, success: false });
    const segments = await segmentsOf([
      intent("answered"),
      intent("unanswered"),
      ...Array.from({ length: 20 }, () => aRecord({ requestId: "other" })),
      aRecord({ requestId: "answered", statusCode: 201 }),
    ]);
    const found = [...searchSegments(segments, { user: "ada@example.com" })].map(({ record }) => record);
    expect(
      found.filter(({ requestId }) => requestId !== "other").map((record) => [record.requestId, record.phase]),
    ).toEqual([
      ["answered", "outcome"],
      ["unanswered", "intent"],
    ]);
  });

  it("opens only the newest segments for the first page", async () => {
    const segments = await segmentsOf(
      Array.from({ length: 200 }, (_none, at) =>
        aRecord({ timestamp: new Date(Date.parse("2026-06-01T12:00:00Z") + at * 1_000).toISOString() }),
      ),
    );
    let opened = 0;
    const watched = segments.map(({ spec, ...rest }) => ({
      ...rest,
      spec: Object.defineProperty({ ...spec }, "lines", {
        get: () => {
          opened++;
          return spec.lines;
        },
      }),
    }));
    const search = searchSegments(watched, {});
    for (let count = 0; count < 3; count++) search.next();
    expect(opened).toBeLessThan(5);
    expect(segments.length).toBeGreaterThan(20);
  });
});

describe("the audit routes", () => {
  it("page through all records and reject a foreign cursor", async () => {
    const segments = await segmentsOf(Array.from({ length: 25 }, (_none, at) => aRecord({ requestId: `r${at}` })));
    const [list] = auditHandlers({ list: () => segments }, () => Promise.reject(new Error("not asked")));
    const ask = async (query: object) =>
      (await list?.run({ query: { limit: 10, ...query } } as never)) as {
        entries: { id: string }[];
        nextCursor?: string;
      };
    const ids: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 3; pages++) {
      const page = await ask(cursor === undefined ? {} : { cursor });
      ids.push(...page.entries.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(new Set(ids).size).toBe(25);
    await expect(ask({ cursor: "nonsense" })).rejects.toMatchObject({ code: "INVALID" });
    await expect(ask({ from: "2026-13-45" })).rejects.toMatchObject({ code: "INVALID" });
  });
});

describe("export", () => {
  it("exports every line once and in order, with any batch size, also while records are added", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(100),
        async (count, limit, cut) => {
          const records = Array.from({ length: count }, (_none, at) => aRecord({ requestId: `r${at}` }));
          const all = [...(await segmentsOf(records, "a")), ...(await segmentsOf(records, "b"))];
          // Initially only a part exists.
          const early = all.slice(0, cut % all.length);
          const lines: string[] = [];
          let cursors: ExportCursors = {};
          for (const segments of [early, all]) {
            for (;;) {
              const batch = nextExport(segments, cursors, limit);
              if (batch.lines.length === 0) break;
              expect(batch.lines.length).toBeLessThanOrEqual(limit);
              lines.push(...batch.lines);
              ({ cursors } = batch);
            }
          }
          expect(lines).toHaveLength(count * 2);
          for (const chain of ["a", "b"]) {
            const own = lines.filter((line) => line.includes(`"id":"${chain}.`));
            expect(verifyLines(own.map((line) => `${line}\n`).join(""), undefined)).toMatchObject({
              lastNumber: count,
              break: undefined,
            });
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
