import type { Interceptor, SideEffect } from "@butler/controller";
import { Bug, deepEqual } from "@butler/std";
import { eventually } from "./eventually.ts";

/** A running controller. */
export interface RunningController {
  /** Whether everything has settled. */
  isSettled(): boolean | Promise<boolean>;
  /** Stops it. Also called for the crashed one, whose work in progress must not be waited for. */
  stop(): Promise<void>;
}

/** A scenario: the cluster and any other state that outlives the controller. */
export interface CrashScenario {
  start(intercept: Interceptor): Promise<RunningController>;
  /** The final state once everything has settled, without what differs from run to run (uids, times, versions). */
  snapshot(): Promise<unknown>;
  tearDown(): Promise<void>;
}

/**
 * Starts controllers in a scenario that is first settled and then changed; without a change, its creation is the scenario.
 */
export function startAfterChange(
  start: (intercept?: Interceptor) => Promise<RunningController>,
  change?: () => Promise<unknown>,
): CrashScenario["start"] {
  let isPrepared = change === undefined;
  return async (intercept) => {
    if (!isPrepared) {
      isPrepared = true;
      const first = await start();
      await atRest(first, { what: "rest before the change" });
      await first.stop();
      await change?.();
    }
    return start(intercept);
  };
}

export interface CrashReport {
  /** The side effects of the undisturbed run, in order. */
  readonly sideEffects: readonly SideEffect[];
  readonly endState: unknown;
  readonly crashes: number;
}

export interface CrashOptions {
  readonly timeoutMs?: number;
}

/**
 * Runs a scenario undisturbed, then once for each of its side effects, stopping the controller right after that effect
 * and before it could observe the result; starts a new one and requires the same final state. `setUp` is called for
 * each run and must create a new, equal scenario.
 */
export async function crashAfterEverySideEffect(
  setUp: (run: number) => Promise<CrashScenario>,
  { timeoutMs = 60_000 }: CrashOptions = {},
): Promise<CrashReport> {
  const undisturbed = await observeUndisturbed(await setUp(0), timeoutMs);
  for (let crashAt = 1; crashAt <= undisturbed.sideEffects.length; crashAt++) {
    const scenario = await setUp(crashAt);
    try {
      await crashOnce(scenario, { crashAt, timeoutMs });
      const endState = await settleAndLook(scenario, timeoutMs);
      if (!deepEqual(endState, undisturbed.endState)) {
        const effect = undisturbed.sideEffects[crashAt - 1];
        throw new Bug(
          `after a crash at side effect ${crashAt} (${effect?.verb} ${effect?.target}) the final state differs:\n` +
            `${JSON.stringify(endState, null, 1)}\nexpected\n${JSON.stringify(undisturbed.endState, null, 1)}`,
        );
      }
    } finally {
      await scenario.tearDown();
    }
  }
  return { ...undisturbed, crashes: undisturbed.sideEffects.length };
}

async function observeUndisturbed(scenario: CrashScenario, timeoutMs: number) {
  const sideEffects: SideEffect[] = [];
  try {
    const controller = await scenario.start(async (effect, run) => {
      const result = await run();
      sideEffects.push(effect);
      return result;
    });
    await atRest(controller, { timeoutMs, what: "rest in the undisturbed run" });
    await controller.stop();
    return { sideEffects, endState: await scenario.snapshot() };
  } finally {
    await scenario.tearDown();
  }
}

async function crashOnce(scenario: CrashScenario, { crashAt, timeoutMs }: { crashAt: number; timeoutMs: number }) {
  let done = 0;
  let hasCrashed = false;
  const never = new Promise<never>(() => undefined);
  const controller = await scenario.start(async (_effect, run) => {
    if (hasCrashed) return never;
    const result = await run();
    done++;
    if (done < crashAt) return result;
    hasCrashed = true;
    return never;
  });
  // How often a status is written may depend on timing: a run that settles earlier has nothing left to crash at.
  await eventually(async () => hasCrashed || (done > 0 && (await controller.isSettled())), {
    timeoutMs,
    what: () => `side effect ${crashAt} (${done} were seen)`,
  });
  await controller.stop();
}

async function settleAndLook(scenario: CrashScenario, timeoutMs: number): Promise<unknown> {
  const controller = await scenario.start((_effect, run) => run());
  try {
    await atRest(controller, { timeoutMs, what: "rest after the crash" });
    return await scenario.snapshot();
  } finally {
    await controller.stop();
  }
}

/**
 * Waits until everything has settled, observed twice in a row: work that started during the first look has either not
 * finished at the second look, or has left visible results.
 */
function atRest(
  controller: RunningController,
  options: { readonly timeoutMs?: number; readonly what: string },
): Promise<unknown> {
  return eventually(async () => (await controller.isSettled()) && (await controller.isSettled()), options);
}
