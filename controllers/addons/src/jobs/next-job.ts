import type { JobPlaces } from "./job-places.ts";

/** Whose a job is, for scheduling. */
export interface JobShare {
  /** The team; empty for the platform. */
  readonly team: string;
  /** The cluster; empty for the management cluster. */
  readonly group: string;
  /** Whether it may use the reserved places: for a baseline add-on, one of the management cluster, or an uninstall. */
  readonly isReserved: boolean;
}

/** Input of the scheduling decision. */
export interface Turn<J extends JobShare> {
  /** In order of arrival. */
  readonly waiting: readonly J[];
  readonly running: readonly JobShare[];
  /** The jobs started so far, latest last. */
  readonly served: readonly JobShare[];
  readonly places: Omit<JobPlaces, "working">;
}

/** Why a job has to wait: the number that runs, and how many may. */
export interface FullPlaces {
  readonly of: "team" | "everyone";
  readonly running: number;
  readonly most: number;
}

/**
 * Chooses the next job: among the teams with the fewest running jobs, the one served least recently; among its clusters
 * likewise; and of that cluster the first job. A job whose team has its share of the places is passed over.
 */
export function nextJob<J extends JobShare>({ waiting, running, served, places }: Turn<J>): J | undefined {
  let best: J | undefined;
  for (const job of waiting) {
    if (fullPlaces(job, running, places) !== undefined) continue;
    if (best === undefined || isBefore(job, best, { running, served })) best = job;
  }
  return best;
}

/** The places that a job would need and that are taken; undefined when it may start. */
export function fullPlaces(
  { team, isReserved }: JobShare,
  running: readonly JobShare[],
  places: Turn<JobShare>["places"],
): FullPlaces | undefined {
  const { reserved = 0, perTeam = Number.POSITIVE_INFINITY } = places;
  const counted = isReserved ? running : running.filter((job) => !job.isReserved);
  const ofTeam = counted.filter((job) => job.team === team).length;
  const mostOfTeam = isReserved ? perTeam + 1 : perTeam;
  if (ofTeam >= mostOfTeam) return { of: "team", running: ofTeam, most: mostOfTeam };
  if (running.length >= places.running) return { of: "everyone", running: running.length, most: places.running };
  const most = places.running - (isReserved ? 0 : reserved);
  return counted.length >= most ? { of: "everyone", running: counted.length, most } : undefined;
}

type Past = Pick<Turn<JobShare>, "running" | "served">;

function isBefore(job: JobShare, other: JobShare, { running, served }: Past): boolean {
  const byTeam = compare(job.team, other.team, { running, served, of: ({ team }) => team });
  if (byTeam !== 0) return byTeam < 0;
  return compare(job.group, other.group, { running, served, of: ({ group }) => group }) < 0;
}

/** Negative when the first of two names is to be served first. */
function compare(
  one: string,
  other: string,
  { running, served, of }: Past & { of: (job: JobShare) => string },
): number {
  if (one === other) return 0;
  const load = (name: string): number => running.filter((job) => of(job) === name).length;
  const last = (name: string): number => served.findLastIndex((job) => of(job) === name);
  return load(one) - load(other) || last(one) - last(other);
}
