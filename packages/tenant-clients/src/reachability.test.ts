import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge, type News, type Reachability } from "./reachability.ts";

const options = { nowMs: 1_000, delayMs: (attempts: number) => attempts * 10 };
const cause = new Error("first");
const later = new Error("later");
const unknown: Reachability = { state: "unknown" };
const reachable: Reachability = { state: "reachable" };
const doubted: Reachability = { state: "doubted", cause };
const cutOff: Reachability = { state: "unreachable", cause, attempts: 2, sinceMs: 500, nextAttemptAtMs: 900 };
const cutOffNow: Reachability = { ...cutOff, cause: later, attempts: 1, sinceMs: 1_000, nextAttemptAtMs: 1_010 };
const cutOffStill: Reachability = { ...cutOff, cause: later, attempts: 3, nextAttemptAtMs: 1_030 };

describe("the reachability of a tenant", () => {
  it.each<[Reachability, News, Reachability]>([
    [unknown, { type: "answered" }, reachable],
    [doubted, { type: "answered" }, reachable],
    [cutOff, { type: "answered" }, reachable],
    [unknown, { type: "unanswered", cause }, doubted],
    [reachable, { type: "unanswered", cause }, doubted],
    [doubted, { type: "unanswered", cause: later }, doubted],
    [cutOff, { type: "unanswered", cause: later }, cutOff],
    [doubted, { type: "probe-ready" }, reachable],
    [cutOff, { type: "probe-ready" }, reachable],
    [doubted, { type: "probe-unready", cause: later }, reachable],
    [cutOff, { type: "probe-unready", cause: later }, cutOffStill],
    [reachable, { type: "probe-failed", cause: later }, reachable],
    [doubted, { type: "probe-failed", cause: later }, cutOffNow],
    [cutOff, { type: "probe-failed", cause: later }, cutOffStill],
    [unknown, { type: "replaced" }, unknown],
    [reachable, { type: "replaced" }, reachable],
    [doubted, { type: "replaced" }, doubted],
    [cutOff, { type: "replaced" }, doubted],
  ])("%o after %o is %o", (known, news, expected) => {
    expect(judge(known, news, options)).toEqual(expected);
  });

  const newsOf = fc.constantFrom<News>(
    { type: "answered" },
    { type: "unanswered", cause },
    { type: "probe-ready" },
    { type: "probe-unready", cause },
    { type: "probe-failed", cause },
    { type: "replaced" },
  );

  it("is never unreachable without a failed probe after the last answer, and then always has a next attempt", () => {
    fc.assert(
      fc.property(fc.array(newsOf), (story) => {
        let known: Reachability = unknown;
        let hasFailedProbe = false;
        for (const [nowMs, news] of story.entries()) {
          known = judge(known, news, { nowMs, delayMs: () => 5 });
          if (news.type === "probe-failed") hasFailedProbe = true;
          if (news.type === "answered" || news.type === "probe-ready") hasFailedProbe = false;
          if (known.state !== "unreachable") continue;
          expect(hasFailedProbe).toBe(true);
          expect(known.sinceMs).toBeLessThanOrEqual(nowMs);
          expect(known.nextAttemptAtMs).toBeGreaterThan(known.sinceMs);
        }
      }),
    );
  });

  it("is reachable after an answer, from any state", () => {
    fc.assert(
      fc.property(
        fc.array(newsOf),
        fc.constantFrom<News>({ type: "answered" }, { type: "probe-ready" }),
        (story, last) => {
          const known = [...story, last].reduce<Reachability>((state, news) => judge(state, news, options), unknown);
          expect(known.state).toBe("reachable");
        },
      ),
    );
  });
});
