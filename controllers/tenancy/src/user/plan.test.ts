import type { User } from "@butler/api";
import type { Plan } from "@butler/controller";
import { mergeConditions } from "@butler/resource";
import { planFrozen, settleToFixedPoint } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { aUser } from "../shared/testing/objects.ts";
import { type Observed, plan } from "./plan.ts";

const now = new Date("2026-01-01T00:00:00Z");
const later = new Date("2026-02-01T00:00:00Z");
const teams = [{ name: "payments", role: "operator" as const }];

/** What the controller would see after its share of the status was written. */
function settle(observed: Observed, { status, conditions }: Plan): Observed {
  if (status === undefined) return observed;
  const { user } = observed;
  const { generation } = user.metadata;
  const merged = mergeConditions({ current: user.status?.conditions, stated: conditions ?? [], generation, now });
  const written = { ...user.status, ...status, observedGeneration: generation, conditions: merged } as User["status"];
  return { ...observed, user: { ...user, status: written } };
}

const trialOf = (observed: Observed, at = now) => ({ plan, observed, now: at, settle });
const atRest = (user: User) => settleToFixedPoint(trialOf({ user, teams })).observed;

describe("the phase of an account", () => {
  const internal = { authType: "internal", ssoProvider: undefined };
  const lockedUntil = "2026-01-01T00:10:00Z";
  it.each([
    ["a user of an identity provider", {}, "Active"],
    ["a user with a password", { spec: internal, status: { passwordSecretRef: { name: "ada" } } }, "Active"],
    ["a user without a password", { spec: internal }, "Pending"],
    ["a locked user", { status: { lockedUntil } }, "Locked"],
    ["a user whose lock has expired", { status: { lockedUntil: "2025-12-31T23:59:59Z" } }, "Active"],
    ["a disabled user", { spec: { disabled: true } }, "Disabled"],
    ["a disabled and locked user", { spec: { disabled: true }, status: { lockedUntil } }, "Disabled"],
  ])("of %s", (_who, traits, phase) => {
    const { status } = atRest(aUser(traits)).user;
    expect(status?.phase).toBe(phase);
    expect(status?.conditions).toMatchObject([{ type: "Ready", status: phase === "Active" ? "True" : "False" }]);
  });

  it("is checked again only when a lock expires", () => {
    const locked = { user: aUser({ status: { lockedUntil } }), teams };
    expect(planFrozen(trialOf(locked), locked).requeueAfterMs).toBe(600_000);
    const free = { user: aUser(), teams };
    expect(planFrozen(trialOf(free), free).requeueAfterMs).toBeUndefined();
  });
});

describe("the list of teams", () => {
  it("has the time of its last change", () => {
    const observed = atRest(aUser());
    expect(observed.user.status).toMatchObject({ teams, teamsResolvedAt: "2026-01-01T00:00:00Z" });
    const left = settleToFixedPoint(trialOf({ ...observed, teams: [] }, later)).observed;
    expect(left.user.status).toMatchObject({ teams: [], teamsResolvedAt: "2026-02-01T00:00:00Z" });
  });

  it("is not written again when it is the same", () => {
    const observed = atRest(aUser());
    const decided = planFrozen(trialOf(observed, later), observed);
    expect([decided.status, decided.conditions]).toEqual([undefined, undefined]);
  });

  it("is written without the fields of other writers", () => {
    const user = aUser({ status: { lastSeenGroups: ["developers"], loginCount: 3 } });
    const decided = planFrozen(trialOf({ user, teams }), { user, teams });
    expect(Object.keys(decided.status ?? {}).sort()).toEqual(["phase", "teams", "teamsResolvedAt"]);
  });
});
