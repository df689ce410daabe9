import { FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { newUserCode, normaliseUserCode } from "./codes.ts";
import { type DeviceGrant, judgePoll } from "./grant.ts";
import { LastPolls } from "./last-polls.ts";

const now = new Date("2026-01-01T00:00:00Z");

function aGrant(traits: Partial<DeviceGrant> = {}): DeviceGrant {
  return {
    userCodeHash: "00",
    clientName: "butlerctl",
    sourceAddress: "10.0.0.1",
    createdAt: "2025-12-31T23:55:00Z",
    expiresAt: "2026-01-01T00:05:00Z",
    state: "pending",
    ...traits,
  };
}

const approval = { userName: "ada", userUid: "uid", grants: ["payments: operator"] };
const approved = aGrant({ state: "approved", approval });

describe("a question for the result", () => {
  it.each([
    ["of a code that nobody knows", undefined, {}, "EXPIRED_TOKEN"],
    ["of a code that has ended", aGrant({ expiresAt: now.toISOString() }), {}, "EXPIRED_TOKEN"],
    ["while nobody has decided", aGrant(), {}, "AUTHORIZATION_PENDING"],
    ["that comes too soon", approved, { sinceLastMs: 4_000 }, "SLOW_DOWN"],
    ["in the right rhythm", approved, { sinceLastMs: 4_900 }, "GRANT"],
    ["after somebody has said no", aGrant({ state: "denied" }), {}, "ACCESS_DENIED"],
    ["after somebody has said yes", approved, {}, "GRANT"],
    ["when they have more roles since", approved, { grantsNow: ["payments: operator", "search: admin"] }, "GRANT"],
    ["when a role of theirs has gone", approved, { grantsNow: [] }, "ACCESS_DENIED"],
    ["when a role of theirs is lower", approved, { grantsNow: ["payments: viewer"] }, "ACCESS_DENIED"],
    ["when they may not sign in any more", approved, { grantsNow: undefined }, "ACCESS_DENIED"],
    ["of one that is approved by nobody", aGrant({ state: "approved" }), {}, "ACCESS_DENIED"],
  ])("%s", (_which, grant, poll, verdict) => {
    const usual = { now, sinceLastMs: undefined, grantsNow: ["payments: operator"] };
    expect(judgePoll(grant, { ...usual, ...poll })).toBe(verdict);
  });
});

describe("a code for people", () => {
  it("is the same however it is typed", () => {
    expect(["bcdf-ghjk", " BCDF GHJK ", "BCDFGHJK"].map(normaliseUserCode)).toEqual(Array(3).fill("BCDFGHJK"));
  });

  it("has no letters that make words, and is another each time", () => {
    const codes = Array.from({ length: 200 }, newUserCode);
    for (const code of codes) expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

it("the rhythm is told by code", () => {
  const clock = new FakeClock();
  const polls = new LastPolls(clock);
  expect(polls.since("a")).toBeUndefined();
  clock.advance(1_000);
  expect([polls.since("a"), polls.since("b")]).toEqual([1_000, undefined]);
});
