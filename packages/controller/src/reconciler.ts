import { isBeingDeleted, type ObjectOf, type Resource } from "@butler/resource";
import { Bug, Conflict, describeError } from "@butler/std";
import type { ControllerDefinition } from "./define-controller.ts";
import { desiredStatus, type FailureStage, stageReason } from "./desired-status.ts";
import { Pass, type PassContext } from "./pass.ts";
import type { Effect, Plan, PlannedEvent } from "./plan.ts";
import type { SideEffect } from "./side-effect.ts";

/** The result of a pass. */
export interface PassResult {
  readonly outcome: "settled" | "changed" | "failed" | "conflicted" | "nothing";
  readonly sideEffects: readonly SideEffect[];
  /** Whether an effect outside the cluster was performed, so that only another pass can see its result. */
  readonly hasPerformed: boolean;
  readonly requeueAfterMs?: number | undefined;
  readonly failure?: Failure | undefined;
}

interface Failure {
  readonly stage: FailureStage;
  readonly error: unknown;
}

/** Number of consecutive conflicts that are not reported. */
const routineConflicts = 3;

export interface PassOptions {
  readonly signal: AbortSignal;
  /** Passes over this object that failed in a row before this one. */
  readonly earlierFailures: number;
}

/** The state of a pass so far. */
interface Work<R extends Resource, E extends Effect> {
  readonly primary: ObjectOf<R>;
  readonly plan?: Plan<E>;
  readonly failure?: Failure;
}

/** Carries the stage at which a pass failed. */
class StageFailure extends Error {
  readonly failure: Failure;

  constructor(stage: FailureStage, error: unknown) {
    super(stage, { cause: error });
    this.failure = { stage, error };
  }
}

/**
 * One pass over one object: observe, plan, act, report. The order is the contract: the finalizer is added before
 * anything is done, children come before effects, the status is always written, and the finalizer is removed last.
 */
export class Reconciler<R extends Resource, Observed, E extends Effect, Ports> {
  readonly #definition: ControllerDefinition<R, Observed, E, Ports>;
  readonly #context: PassContext<Ports>;

  constructor(definition: ControllerDefinition<R, Observed, E, Ports>, context: PassContext<Ports>) {
    this.#definition = definition;
    this.#context = context;
  }

  /** Observes and plans without side effects. Undefined when there is nothing to decide. */
  async decide(primary: ObjectOf<R>, signal: AbortSignal): Promise<Plan<E> | undefined> {
    const { read, ports, clock } = this.#context;
    const now = clock.now();
    const observed = await staged("observe", () => this.#definition.observe({ primary, read, ports, now, signal }));
    if (observed === undefined) return undefined;
    return staged("plan", () => {
      const plan = this.#definition.plan(observed, now);
      if (plan instanceof Promise)
        throw new Bug(`controller ${this.#definition.name} has an asynchronous plan; plans must be synchronous`);
      return plan;
    });
  }

  /**
   * Runs one pass. Rejects only when the status or the finalizer could not be written; other failures are in the
   * result.
   */
  async reconcile(initial: ObjectOf<R>, { signal, earlierFailures }: PassOptions): Promise<PassResult> {
    const pass = new Pass(this.#definition, this.#context);
    const { sideEffects } = pass;
    const conclude = (outcome: PassResult["outcome"], more: Partial<PassResult> = {}): PassResult => {
      const hasPerformed = sideEffects.some(({ verb }) => verb === "perform");
      return { outcome, sideEffects, hasPerformed, ...more };
    };
    if (this.#isReleased(pass, initial)) return conclude("nothing");
    const work = await this.#decideAndDo(pass, initial, signal);
    const { plan, failure } = work;
    if (plan === undefined && failure === undefined) return conclude("nothing");
    if (isRoutineConflict(failure, earlierFailures)) return conclude("conflicted", { failure });
    const told = await this.#tell(pass, work);
    if (failure !== undefined) return conclude("failed", { failure });
    if (plan?.finalizer === "release" && pass.isHeld(told)) await pass.release(told);
    return conclude(sideEffects.length > 0 ? "changed" : "settled", { requeueAfterMs: plan?.requeueAfterMs });
  }

  /** Once released, an object that only others' finalizers block needs no more work. */
  #isReleased(pass: Pass<R, Observed, E, Ports>, primary: ObjectOf<R>): boolean {
    return isBeingDeleted(primary) && this.#definition.finalizer !== undefined && !pass.isHeld(primary);
  }

  async #decideAndDo(
    pass: Pass<R, Observed, E, Ports>,
    initial: ObjectOf<R>,
    signal: AbortSignal,
  ): Promise<Work<R, E>> {
    const work: { primary: ObjectOf<R>; plan?: Plan<E>; failure?: Failure } = { primary: initial };
    try {
      const plan = await this.decide(initial, signal);
      if (plan === undefined) return work;
      work.plan = plan;
      const { apply = [], remove = [], effects = [] } = plan;
      if (plan.finalizer === "hold") work.primary = await staged("apply", () => pass.hold(initial));
      for (const object of apply) await staged("apply", () => pass.apply(work.primary, object));
      for (const removal of remove) await staged("remove", () => pass.remove(removal));
      for (const effect of effects) await staged("perform", () => pass.perform(effect, signal));
    } catch (error) {
      if (!(error instanceof StageFailure)) throw error;
      work.failure = error.failure;
    }
    return work;
  }

  async #tell(pass: Pass<R, Observed, E, Ports>, { primary, plan, failure }: Work<R, E>): Promise<ObjectOf<R>> {
    await pass.recordEvents(primary, [...(plan?.events ?? []), ...failureEvents(failure)]);
    const isLast = plan?.finalizer === "release" && primary.metadata.finalizers?.length === 1;
    const isVanishing = failure === undefined && isLast && isBeingDeleted(primary);
    if (isVanishing || this.#definition.primary.status === undefined) return primary;
    const status = desiredStatus({
      primary,
      plan,
      failure,
      now: this.#context.clock.now(),
      hasConditions: this.#definition.primary.hasConditions,
    });
    return status === undefined ? primary : pass.writeStatus(primary, status);
  }
}

/**
 * A conflict mostly means that the cache was stale: not worth reporting in the status, retry soon. A persistent one
 * is reported like any other failure.
 */
function isRoutineConflict(failure: Failure | undefined, earlierFailures: number): boolean {
  return failure?.error instanceof Conflict && earlierFailures < routineConflicts;
}

function failureEvents(failure: Failure | undefined): PlannedEvent[] {
  if (failure === undefined) return [];
  return [{ type: "Warning", reason: stageReason[failure.stage], message: describeError(failure.error) }];
}

async function staged<T>(stage: FailureStage, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new StageFailure(stage, error);
  }
}
