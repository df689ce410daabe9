import { FakeClock } from "@butler/testkit";
import type { Team } from "@butler/api";
import { describe, expect, it } from "vitest";
import type { SignedIn } from "../../ports.ts";
import { CallerWatch } from "./caller-watch.ts";

/** A watch whose facts the test changes directly. */
function watching() {
  const clock = new FakeClock();
  const listeners = new Set<() => void>();
  const facts: { callers: Map<string, SignedIn>; teams: Team[] } = { callers: new Map(), teams: [] };
  const addHandler = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const informer = { addHandler, list: () => facts.teams };
  const state = { teams: informer, users: informer, identityProviders: informer } as never;
  const current = (id: string): SignedIn | undefined => facts.callers.get(id);
  const watch = new CallerWatch({ state, onSessionsChanged: addHandler, current, clock });
  const over = new AbortController();
  watch.start(over.signal);
  const tell = (): void => listeners.forEach((listener) => listener());
  return { clock, facts, watch, over, listeners, tell };
}

const ada: SignedIn = { person: { email: "ada@example.com", groups: [] }, sessionId: "s" };
const teamOf = (...users: object[]): Team =>
  ({ metadata: { name: "payments" }, spec: { access: { users } } }) as unknown as Team;

describe("watching a user with an open connection", () => {
  it("reports changes that affect the user, once, and no others", () => {
    const { clock, facts, watch, tell } = watching();
    facts.callers.set("s", ada);
    const seen: unknown[] = [];
    watch.follow("s", (caller) => seen.push(caller));
    facts.teams = [teamOf({ name: "bob@example.com", role: "admin" })];
    tell();
    clock.advance(2_000);
    expect(seen).toEqual([]);
    facts.teams = [teamOf({ name: "ada@example.com", role: "admin" })];
    tell();
    tell();
    clock.advance(20);
    expect(seen).toEqual([ada]);
    facts.callers.delete("s");
    tell();
    clock.advance(20);
    clock.advance(2_000);
    expect(seen).toEqual([ada, undefined]);
  });

  it("detects the expiration of a session", () => {
    const { clock, facts, watch } = watching();
    facts.callers.set("s", ada);
    const seen: unknown[] = [];
    watch.follow("s", (caller) => seen.push(caller));
    facts.callers.delete("s");
    clock.advance(1_000);
    expect(seen).toEqual([undefined]);
  });

  it("waits briefly for a session that another replica has opened", () => {
    const { clock, facts, watch, tell } = watching();
    const [early, never]: [unknown[], unknown[]] = [[], []];
    watch.follow("s", (caller) => early.push(caller));
    watch.follow("t", (caller) => never.push(caller));
    facts.callers.set("s", ada);
    tell();
    clock.advance(20);
    expect([early, never]).toEqual([[], []]);
    clock.advance(1_000);
    expect([early, never]).toEqual([[], [undefined]]);
  });

  it("releases all resources", () => {
    const { clock, watch, over, listeners } = watching();
    const end = watch.follow("s", () => undefined);
    end();
    over.abort();
    expect([clock.pending, listeners.size]).toEqual([0, 0]);
  });
});
