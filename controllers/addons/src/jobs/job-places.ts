import { availableParallelism } from "node:os";

/** Limits of concurrent jobs. */
export interface JobPlaces {
  /** Limit for jobs that started recently: each uses a CPU, and the event loop needs CPU time, too. */
  readonly working: number;
  /** Limit for all jobs, including those that wait for a hook or a slow cluster: each uses memory. */
  readonly running: number;
  /** How many of these are for baseline and management add-ons and for uninstalls only. None by default. */
  readonly reserved?: number | undefined;
  /** How many jobs of one team run at once; one more if it may use the reserved places. Unlimited by default. */
  readonly perTeam?: number | undefined;
}

const mostWorking = 4;
const fewestWorking = 2;

/** After this long a job is assumed to be waiting, and no longer prevents others from starting. */
export const patientAfterMs = 10_000;

/**
 * One working job per CPU, 2 to 4. A job that hangs keeps its place until its timeout: a third of the places is for
 * baseline add-ons, and it takes several teams to fill the rest.
 */
export function placesFor(processors: number): JobPlaces {
  const working = Math.min(mostWorking, Math.max(fewestWorking, processors));
  return { working, running: 6, reserved: 2, perTeam: 2 };
}

/** The limits for this machine. */
export const usualPlaces = placesFor(availableParallelism());
