import { noUsage, type Usage } from "@butler/access";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ledgerKey,
  othersOf,
  readLedger,
  type Reservation,
  standing,
  type StoredClaim,
  withReservation,
  writeLedger,
} from "./entries.ts";

const now = new Date("2026-01-01T00:00:00Z");
const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
const usage = (nodes: number): Usage => ({ ...noUsage, clusters: 1, nodes });
const reserved = (more: Partial<Reservation> = {}): Reservation => ({
  claim: { usage: usage(3), environment: "dev", owner: "ada@example.com", provider: "a/b" },
  uid: "1",
  resourceVersion: undefined,
  expiresAt: inSeconds(60),
  ...more,
});
const stored = (more: Partial<StoredClaim> = {}): StoredClaim => ({
  claim: { usage: usage(3), environment: "dev", owner: "ada@example.com" },
  uid: "1",
  resourceVersion: "7",
  ...more,
});

describe("a reservation", () => {
  it.each<[string, Reservation, StoredClaim | undefined, boolean]>([
    ["for a new cluster is kept until it is stored", reserved(), undefined, true],
    ["for a new cluster ends when it is stored", reserved(), stored(), false],
    ["for a new cluster outlives a deleted cluster of the same name", reserved(), stored({ uid: "old" }), true],
    ["expires", reserved({ expiresAt: now }), undefined, false],
    ["is kept until it expires", reserved({ expiresAt: inSeconds(0.001) }), undefined, true],
    ["for a change is kept while the cluster is unchanged", reserved({ resourceVersion: "7" }), stored(), true],
    ["for a change ends with any other resource version", reserved({ resourceVersion: "6" }), stored(), false],
    ["for a change ends with the cluster", reserved({ resourceVersion: "7" }), undefined, false],
    [
      "for a change ends with another cluster of the same name",
      reserved({ resourceVersion: "7" }),
      stored({ uid: "new" }),
      false,
    ],
  ])("%s", (_what, reservation, found, isStanding) => {
    const seen = new Map(found === undefined ? [] : [["a.b", found]]);
    expect(standing(new Map([["a.b", reservation]]), seen, now).size).toBe(isStanding ? 1 : 0);
  });
});

describe("the usage of other clusters", () => {
  it("is the larger of stored and reserved usage, without the cluster's own", () => {
    const there = new Map([
      ["a.grows", stored()],
      ["a.self", stored()],
      ["a.rests", stored()],
    ]);
    const set = new Map([
      ["a.grows", reserved({ claim: { ...stored().claim, usage: usage(9) } })],
      ["a.self", reserved()],
      ["a.new", reserved({ claim: { usage: usage(2) } })],
    ]);
    expect(
      othersOf("a.self", there, set)
        .map((claim) => claim.usage.nodes)
        .sort((left, right) => left - right),
    ).toEqual([2, 3, 9]);
  });

  it("counts a moving cluster in both environments, but as one cluster", () => {
    const moved = reserved({ claim: { usage: usage(3), environment: "prod", owner: "ada@example.com" } });
    const others = othersOf("a.self", new Map([["a.b", stored()]]), new Map([["a.b", moved]]));
    expect(others.map(({ environment, usage: { clusters } }) => [environment, clusters])).toEqual([
      ["dev", 1],
      ["prod", 0],
    ]);
  });
});

describe("a new reservation", () => {
  it("keeps the reservation of another change of the same version", () => {
    const first = withReservation(new Map(), "a.b", reserved({ resourceVersion: "7", claim: { usage: usage(9) } }));
    const second = withReservation(first, "a.b", reserved({ resourceVersion: "7", claim: { usage: usage(4) } }));
    expect(second.get("a.b")?.claim.usage.nodes).toBe(9);
    const later = withReservation(second, "a.b", reserved({ resourceVersion: "8", claim: { usage: usage(4) } }));
    expect(later.get("a.b")?.claim.usage.nodes).toBe(4);
  });

  it("does not reserve in two environments for one cluster", () => {
    const first = withReservation(new Map(), "a.b", reserved({ resourceVersion: "7" }));
    const moved = reserved({ resourceVersion: "7", claim: { usage: usage(3), environment: "prod" } });
    expect(() => withReservation(first, "a.b", moved)).toThrow("another change to the same cluster");
  });
});

describe("a ledger as text", () => {
  it("round-trips", () => {
    const claim = fc.record({
      usage: fc.record({
        clusters: fc.nat(),
        nodes: fc.nat(),
        cpuMilli: fc.bigInt({ min: 0n }),
        memoryBytes: fc.bigInt({ min: 0n }),
        storageBytes: fc.bigInt({ min: 0n }),
      }),
      environment: fc.option(fc.string(), { nil: undefined }),
      owner: fc.option(fc.string(), { nil: undefined }),
      provider: fc.option(fc.string(), { nil: undefined }),
    });
    fc.assert(
      fc.property(claim, fc.option(fc.string(), { nil: undefined }), (given, resourceVersion) => {
        const ledger = new Map([["a.b", reserved({ claim: given, resourceVersion })]]);
        expect(readLedger(writeLedger(ledger))).toEqual(ledger);
      }),
    );
  });

  it.each([undefined, "x", { "a.b": "{" }, { "a.b": "{}" }, { "a.b": "[]" }, { "a.b": '{"expiresAt":"soon"}' }])(
    "%j reserves nothing",
    (data) => {
      expect(readLedger(data).size).toBe(0);
    },
  );

  it("has a unique key for every cluster", () => {
    expect(ledgerKey({ namespace: "a-b", name: "c" })).not.toBe(ledgerKey({ namespace: "a", name: "b-c" }));
  });
});
