import type { PinRefusal } from "../address-space.ts";
import type { Cells, SmallPool } from "./small-pool.ts";

type State = "free" | "taken" | "reserved" | "outside";

/** A reference implementation of the allocator: one state per cell, and linear searches. */
export class BitmapModel {
  readonly #states: State[];
  /** Index of the range of each cell. */
  readonly #owners: number[];

  constructor({ size, ranges, reserved }: SmallPool, taken: readonly Cells[]) {
    const all = ranges.length === 0 ? [{ first: 0, last: size - 1 }] : ranges;
    const cells = Array.from({ length: size }, (_, cell) => cell);
    this.#owners = cells.map((cell) => all.findIndex((range) => isIn(range, cell)));
    this.#states = cells.map((cell, at) => {
      if ((this.#owners[at] ?? -1) < 0) return "outside";
      if (reserved.some((range) => isIn(range, cell))) return "reserved";
      return taken.some((range) => isIn(range, cell)) ? "taken" : "free";
    });
  }

  /** All free runs, ascending. */
  freeRuns(): Cells[] {
    const runs: { first: number; last: number }[] = [];
    for (const [cell, state] of this.#states.entries()) {
      if (state !== "free") continue;
      const run = runs.at(-1);
      if (run?.last === cell - 1 && this.#owners[cell] === this.#owners[cell - 1]) run.last = cell;
      else runs.push({ first: cell, last: cell });
    }
    return runs;
  }

  /** The start of the smallest run that is large enough. */
  allocate(count: number): Cells | undefined {
    const fitting = this.freeRuns().filter((run) => lengthOf(run) >= count);
    const smallest = Math.min(...fitting.map(lengthOf));
    const run = fitting.find((each) => lengthOf(each) === smallest);
    if (run === undefined) return undefined;
    const block = { first: run.first, last: run.first + count - 1 };
    this.#mark(block, "taken");
    return block;
  }

  /** Allocates exactly these cells. */
  pin(cells: Cells): PinRefusal | undefined {
    const states = this.#statesOf(cells);
    const owners = new Set(this.#owners.slice(cells.first, cells.last + 1).filter((owner) => owner >= 0));
    if (owners.size > 1) return "straddles";
    if (states.includes("outside")) return "outside";
    if (states.includes("reserved")) return "reserved";
    if (states.includes("taken")) return "taken";
    this.#mark(cells, "taken");
    return undefined;
  }

  /** Releases cells. */
  release({ first, last }: Cells): void {
    for (let cell = first; cell <= last; cell++) {
      if (this.#states[cell] === "taken") this.#states[cell] = "free";
    }
  }

  /** Number of cells in a state. */
  count(state: State): number {
    return this.#states.filter((each) => each === state).length;
  }

  #statesOf({ first, last }: Cells): State[] {
    return Array.from({ length: last - first + 1 }, (_, at) => this.#states[first + at] ?? "outside");
  }

  #mark({ first, last }: Cells, state: State): void {
    this.#states.fill(state, first, last + 1);
  }
}

function isIn({ first, last }: Cells, cell: number): boolean {
  return cell >= first && cell <= last;
}

/** Number of these cells. */
export function lengthOf({ first, last }: Cells): number {
  return last - first + 1;
}
