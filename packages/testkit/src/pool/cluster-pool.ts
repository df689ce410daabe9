import { describeError } from "@butler/std";
import { noteStarted } from "../tally.ts";
import { type PlaneFlavour, PooledPlane } from "./pooled-plane.ts";

/** An API server that was returned, and the error, if any, of resetting it. */
interface Returned {
  readonly plane: PooledPlane;
  readonly cleaned: Promise<unknown>;
}

/**
 * API servers of one flavour that test files of one process use one after another. Returning one does not wait for its
 * reset; acquiring one does. They end with the process.
 */
class ClusterPool {
  readonly #flavour: PlaneFlavour;
  readonly #idle: Returned[] = [];

  constructor(flavour: PlaneFlavour) {
    this.#flavour = flavour;
  }

  async take(): Promise<PooledPlane> {
    for (let returned = this.#idle.shift(); returned !== undefined; returned = this.#idle.shift()) {
      if (await this.#isClean(returned)) return returned.plane;
    }
    return PooledPlane.start(this.#flavour);
  }

  give(plane: PooledPlane): void {
    this.#idle.push({ plane, cleaned: plane.reset().then(undefined, (error: unknown) => error) });
  }

  /**
   * A file that leaves a controller running would disturb the next: such a server is replaced, and a warning is
   * printed.
   */
  async #isClean({ plane, cleaned }: Returned): Promise<boolean> {
    const failure = await cleaned;
    if (failure === undefined && (await plane.isPristine())) return true;
    noteStarted("API server given back", "dirty");
    const reason = failure === undefined ? "its last user still writes to it" : describeError(failure);
    process.stderr.write(`testkit: an API server cannot be reused: ${reason}\n`);
    await plane.stop();
    return false;
  }
}

const pools = new Map<string, ClusterPool>();

/** The pool of a flavour in this process. */
export function poolOf(flavour: PlaneFlavour): ClusterPool {
  const key = JSON.stringify([flavour.withControllerManager, flavour.withKinds]);
  const pool = pools.get(key) ?? new ClusterPool(flavour);
  pools.set(key, pool);
  return pool;
}
