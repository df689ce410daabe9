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

describe("a poll for the result", () => {
  it.each([
    ["of an unknown code", undefined, {}, "EXPIRED_TOKEN"],
    ["of an expired code", aGrant({ expiresAt: now.toISOString() }), {}, "EXPIRED_TOKEN"],
    ["while the request is pending", aGrant(), {}, "AUTHORIZATION_PENDING"],
    ["before the interval has passed", approved, { sinceLastMs: 4_000 }, "SLOW_DOWN"],
    ["at the allowed interval", approved, { sinceLastMs: 4_900 }, "GRANT"],
    ["after the user denied the request", aGrant({ state: "denied" }), {}, "ACCESS_DENIED"],
    ["after the user approved the request", approved, {}, "GRANT"],
    ["when the user has gained roles since", approved, { grantsNow: ["payments: operator", "search: admin"] }, "GRANT"],
    ["when the user has lost a role since", approved, { grantsNow: [] }, "ACCESS_DENIED"],
    ["when a role of the user was lowered since", approved, { grantsNow: ["payments: viewer"] }, "ACCESS_DENIED"],
    ["when the user may no longer sign in", approved, { grantsNow: undefined }, "ACCESS_DENIED"],
    ["of an approved request without an approver", aGrant({ state: "approved" }), {}, "ACCESS_DENIED"],
  ])("%s", (_which, grant, poll, verdict) => {
    const usual = { now, sinceLastMs: undefined, grantsNow: ["payments: operator"] };
    expect(judgePoll(grant, { ...usual, ...poll })).toBe(verdict);
  });
});

describe("a user code", () => {
  it("ignores case, spaces and dashes", () => {
    expect(["bcdf-ghjk", " BCDF GHJK ", "BCDFGHJK"].map(normaliseUserCode)).toEqual(Array(3).fill("BCDFGHJK"));
  });

  it("has no letters that form words, and is different each time", () => {
    const codes = Array.from({ length: 200 }, newUserCode);
    for (const code of codes) expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

it("the polling interval is tracked per code", () => {
  const clock = new FakeClock();
  const polls = new LastPolls(clock);
  expect(polls.since("a")).toBeUndefined();
  clock.advance(1_000);
  expect([polls.since("a"), polls.since("b")]).toEqual([1_000, undefined]);
});
