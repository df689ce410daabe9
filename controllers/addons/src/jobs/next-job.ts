/** A job that waits for its turn, as far as the choice needs it. */
export interface Waiting {
  /** Whom the job is for: the turns are shared out among these. */
  readonly group: string;
}

/** What the choice is made from. */
export interface Turn<J extends Waiting> {
  /** In the order in which they came. */
  readonly waiting: readonly J[];
  /** The groups of the jobs that run, one for each. */
  readonly running: readonly string[];
  /** The groups that have had turns, the latest last. */
  readonly served: readonly string[];
}

/**
 * Whose turn it is: of the groups with the fewest jobs running the one that has waited longest for a turn, and of its
 * jobs the first. So one cluster with many add-ons does not hold up the only one of another.
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
