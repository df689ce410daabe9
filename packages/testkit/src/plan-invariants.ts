import type { Effect, Plan } from "@butler/controller";
import { Bug, deepEqual, deepFreeze, stableStringify } from "@butler/std";

/** What a plan function is tried on. */
export interface PlanTrial<Observed, E extends Effect> {
  readonly plan: (observed: Observed, now: Date) => Plan<E>;
  readonly observed: Observed;
  readonly now: Date;
  /** The world after a plan was carried out: what the next look would see. Pure. */
  readonly settle: (observed: Observed, plan: Plan<E>) => Observed;
  /** Passes allowed until nothing changes; 20 when left out. */
  readonly limit?: number;
}

/** Runs a plan on a frozen copy: a plan that changes what it is given throws, and so fails the test. */
export function planFrozen<Observed, E extends Effect>(trial: PlanTrial<Observed, E>, observed: Observed): Plan<E> {
  const frozen = deepFreeze(structuredClone(observed));
  const first = trial.plan(frozen, trial.now);
  const second = trial.plan(frozen, trial.now);
  if (!deepEqual(first, second)) throw new Bug("two plans for the same input differ");
  return first;
}

/**
 * Carries out plans until one asks for nothing new, and gives the world and the plan at rest. Fails when the plans go
 * round in circles or never come to rest.
 */
export function settleToFixedPoint<Observed, E extends Effect>(
  trial: PlanTrial<Observed, E>,
): { observed: Observed; plan: Plan<E>; passes: number } {
  let { observed } = trial;
  const seen = [stableStringify(observed)];
  for (let passes = 1; passes <= (trial.limit ?? 20); passes++) {
    const plan = planFrozen(trial, observed);
    const next = trial.settle(observed, plan);
    if (deepEqual(next, observed)) {
      if ((plan.effects ?? []).length > 0) throw new Bug("the plan at rest still asks for effects");
      return { observed, plan, passes };
    }
    const text = stableStringify(next);
    if (seen.includes(text)) throw new Bug(`the plans go round in circles after ${passes} passes`);
    seen.push(text);
    observed = next;
  }
  throw new Bug(`the plans do not come to rest within ${trial.limit ?? 20} passes`);
}

/** Carries out plans for an object that is being deleted until the finalizer is let go; fails when it never is. */
export function settleDeletion<Observed, E extends Effect>(trial: PlanTrial<Observed, E>): Observed {
  let { observed } = trial;
  for (let passes = 1; passes <= (trial.limit ?? 20); passes++) {
    const plan = planFrozen(trial, observed);
    observed = trial.settle(observed, plan);
    if (plan.finalizer === "release" || plan.finalizer === "none") {
      if ((plan.effects ?? []).length > 0) throw new Bug("the finalizer is let go while effects are still to be done");
      return observed;
    }
  }
  throw new Bug(`the deletion does not end within ${trial.limit ?? 20} passes`);
}
