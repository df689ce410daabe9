import { availableParallelism } from "node:os";

/** How many jobs there may be at a time. */
export interface JobPlaces {
  /** So many that have only just begun: they take a processor each, and the loop needs its turn, too. */
  readonly working: number;
  /** So many in all, with those that wait for a hook or a slow cluster: each takes memory. */
  readonly running: number;
}

const mostRunning = 4;
const fewestWorking = 2;

/** After this long a job is thought to wait rather than to work, and no longer keeps others from beginning. */
export const patientAfterMs = 10_000;

/** As many at work as there are processors, within what memory allows. */
export function placesFor(processors: number): JobPlaces {
  return { working: Math.min(mostRunning, Math.max(fewestWorking, processors)), running: mostRunning };
}

/** The places on this machine. */
export const usualPlaces = placesFor(availableParallelism());
