import { memberRoleOf } from "@butler/access";
import { Team } from "@butler/api";
import type { StoreEvent } from "@butler/kube";
import { parseObject } from "@butler/resource";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { SignedIn } from "../ports.ts";
import { TeamVisibility } from "./team-visibility.ts";

const people = ["ada@example.com", "bob@example.com"];
const aTeam = (name: string, users: readonly string[], generation: number): Team =>
  parseObject(Team, {
    apiVersion: Team.apiVersion,
    kind: "Team",
    metadata: { name, generation },
    spec: { access: { users: users.map((user) => ({ name: user, role: "viewer" })) } },
  });

it("always agrees with a full scan of all Teams", () => {
  const step = fc.record({
    name: fc.constantFrom("red", "green", "blue"),
    users: fc.option(fc.subarray(people), { nil: undefined }),
    asks: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const teams = new Map<string, Team>();
      const callers = people.map((email): SignedIn => ({ person: { email, groups: [] } }));
      const lookAtAll = ({ person }: SignedIn): Set<string> =>
        new Set([...teams.values()].filter((team) => memberRoleOf(team, person)).map(({ metadata }) => metadata.name));
      const visibility = new TeamVisibility(lookAtAll);
      for (const [generation, { name, users, asks }] of steps.entries()) {
        const previous = teams.get(name);
        const event = change(previous, users && aTeam(name, users, generation));
        if (users === undefined) teams.delete(name);
        else teams.set(name, aTeam(name, users, generation));
        if (event !== undefined) visibility.take(event);
        if (asks) for (const caller of callers) expect(visibility.of(caller)).toEqual(lookAtAll(caller));
      }
      for (const caller of callers) expect(visibility.of(caller)).toEqual(lookAtAll(caller));
    }),
  );
});

it("rechecks no user for a status-only change", () => {
  const visibility = new TeamVisibility(() => new Set());
  const team = aTeam("red", people, 3);
  expect(visibility.take({ type: "update", object: { ...team }, previous: team })).toBe(false);
  expect(visibility.take({ type: "update", object: aTeam("red", [], 4), previous: team })).toBe(true);
});

function change(previous: Team | undefined, object: Team | undefined): StoreEvent<Team> | undefined {
  if (object === undefined) return previous && { type: "delete", object: previous };
  return previous === undefined ? { type: "add", object } : { type: "update", object, previous };
}
