import { Forbidden, NotFound, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { type Connection, connectionOf, connectionWords, type Probe } from "./connection.ts";
import type { SourceState } from "./snapshot.ts";
import { sourceState } from "./source-state.ts";

const answered: Probe = { state: "answered", version: "v1.36.3" };
const failed: Probe = { state: "failed", why: "refused" };
const live: Connection = { state: "live", version: "v1.36.3" };
const stale: Connection = { state: "stale", sinceMs: 100, why: "gone" };
const following: SourceState = { state: "live" };

describe("connectionOf", () => {
  const of = (before: Connection, probe: Probe, ...sources: readonly SourceState[]) =>
    connectionOf({ before, probe, sources, nowMs: 500 });

  it.each<[string, Connection, Connection]>([
    [
      "starts as connecting",
      of({ state: "connecting" }, { state: "none" }, { state: "waiting" }),
      { state: "connecting" },
    ],
    [
      "stays connecting without a response",
      of({ state: "connecting" }, failed, { state: "waiting" }),
      { state: "connecting", why: "refused" },
    ],
    ["is live once a list was loaded", of({ state: "connecting" }, answered, following, { state: "waiting" }), live],
    ["is live when all missing kinds are absent", of({ state: "connecting" }, answered, { state: "absent" }), live],
    ["is stale without a response", of(live, failed, following), { state: "stale", sinceMs: 500, why: "refused" }],
    [
      "is stale when a watch has ended",
      of(live, answered, following, { state: "stale", why: "ended" }),
      { state: "stale", sinceMs: 500, why: "ended" },
    ],
    [
      "keeps the time since it became stale",
      of(stale, failed, following),
      { state: "stale", sinceMs: 100, why: "refused" },
    ],
    ["recovers", of(stale, answered, following), live],
  ])("%s", (_case, found, expected) => {
    expect(found).toEqual(expected);
  });

  it.each([
    [live, "● Live"],
    [{ state: "connecting" } as const, "◐ Connecting"],
    [stale, "▲ Stale for 12s"],
  ])("renders %j as %s", (connection, words) => {
    expect(connectionWords(connection, 12_100)).toBe(words);
  });
});

describe("sourceState", () => {
  const facts = { isSynced: true, isFollowing: false, lastError: undefined, silentMs: 0 };

  it.each([
    [{ ...facts, isFollowing: true, lastError: new Unavailable("old") }, "live"],
    [{ ...facts, silentMs: 1_000 }, "live"],
    [{ ...facts, silentMs: 3_000 }, "stale"],
    [{ ...facts, isSynced: false, silentMs: 3_000 }, "waiting"],
    [{ ...facts, isSynced: false, lastError: new Unavailable("down") }, "waiting"],
    [{ ...facts, isSynced: false, lastError: new NotFound("no such kind") }, "absent"],
    [{ ...facts, isSynced: false, lastError: new Forbidden("not you") }, "refused"],
    [{ ...facts, lastError: new Forbidden("access revoked") }, "refused"],
  ])("%j is %s", (given, expected) => {
    expect(sourceState(given).state).toBe(expected);
  });
});
