import { availableParallelism } from "node:os";

/** Limits of concurrent jobs. */
export interface JobPlaces {
  /** Limit for jobs that started recently: each uses a CPU, and the event loop needs CPU time, too. */
  readonly working: number;
  /** Limit for all jobs, including those that wait for a hook or a slow cluster: each uses memory. */
  readonly running: number;
}

const mostRunning = 4;
const fewestWorking = 2;

/** After this long a job is assumed to be waiting, and no longer prevents others from starting. */
export const patientAfterMs = 10_000;

/** One working job per CPU, 2 to 4. */
export function placesFor(processors: number): JobPlaces {
  return { working: Math.min(mostRunning, Math.max(fewestWorking, processors)), running: mostRunning };
}

/** The limits for this machine. */
export const usualPlaces = placesFor(availableParallelism());
