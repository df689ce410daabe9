/** A queued job, with what is needed for scheduling. */
export interface Waiting {
  /** The group of the job: jobs are scheduled fairly among groups. */
  readonly group: string;
}

/** Input of the scheduling decision. */
export interface Turn<J extends Waiting> {
  /** In order of arrival. */
  readonly waiting: readonly J[];
  /** The group of each running job. */
  readonly running: readonly string[];
  /** The groups served so far, latest last. */
  readonly served: readonly string[];
}

/**
 * Chooses the next job: among the groups with the fewest running jobs, the one served least recently, and its first job.
 * So a cluster with many add-ons does not delay the only add-on of another.
 */
export function nextJob<J extends Waiting>({ waiting, running, served }: Turn<J>): J | undefined {
  const load = (group: string): number => running.filter((each) => each === group).length;
  let best: J | undefined;
  for (const job of waiting) {
    if (best === undefined) best = job;
    else if (job.group !== best.group && isBefore(job.group, best.group, { load, served })) best = job;
  }
  return best;
}

function isBefore(
  group: string,
  other: string,
  { load, served }: { load: (group: string) => number; served: readonly string[] },
): boolean {
  const difference = load(group) - load(other);
  return difference === 0 ? served.lastIndexOf(group) < served.lastIndexOf(other) : difference < 0;
}
