import type { Effect, Plan } from "@butler/controller";
import { Bug, deepEqual, deepFreeze, stableStringify } from "@butler/std";

/** The input of a trial of a plan function. */
export interface PlanTrial<Observed, E extends Effect> {
  readonly plan: (observed: Observed, now: Date) => Plan<E>;
  readonly observed: Observed;
  readonly now: Date;
  /** The state after a plan was applied, as the next observation would see it. Pure. */
  readonly settle: (observed: Observed, plan: Plan<E>) => Observed;
  /** Maximum number of passes; defaults to 20. */
  readonly limit?: number;
}

/** Runs a plan on a frozen copy: a plan that modifies its input throws, and so fails the test. */
export function planFrozen<Observed, E extends Effect>(trial: PlanTrial<Observed, E>, observed: Observed): Plan<E> {
  const frozen = deepFreeze(structuredClone(observed));
  const first = trial.plan(frozen, trial.now);
  const second = trial.plan(frozen, trial.now);
  if (!deepEqual(first, second)) throw new Bug("two plans for the same input differ");
  return first;
}

/**
 * Applies plans until one requests nothing new, and returns the final state and plan. Fails when the plans cycle or
 * never reach a fixed point.
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
      if ((plan.effects ?? []).length > 0) throw new Bug("the final plan still requests effects");
      return { observed, plan, passes };
    }
    const text = stableStringify(next);
    if (seen.includes(text)) throw new Bug(`the plans cycle after ${passes} passes`);
    seen.push(text);
    observed = next;
  }
  throw new Bug(`the plans do not reach a fixed point within ${trial.limit ?? 20} passes`);
}

/** Applies plans for an object that is being deleted until the finalizer is released; fails when it never is. */
export function settleDeletion<Observed, E extends Effect>(trial: PlanTrial<Observed, E>): Observed {
  let { observed } = trial;
  for (let passes = 1; passes <= (trial.limit ?? 20); passes++) {
    const plan = planFrozen(trial, observed);
    observed = trial.settle(observed, plan);
    if (plan.finalizer === "release" || plan.finalizer === "none") {
      if ((plan.effects ?? []).length > 0) throw new Bug("the finalizer is released while effects are pending");
      return observed;
    }
  }
  throw new Bug(`the deletion does not finish within ${trial.limit ?? 20} passes`);
}
