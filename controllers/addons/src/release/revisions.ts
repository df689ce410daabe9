import type { ReleaseTarget, Revision } from "./situation.ts";

/** The label that says what a revision was made from. */
export const fingerprintLabel = "butler.butlerlabs.dev/fingerprint";

/** The label that says which object a revision was made for, by its uid. */
export const ownerLabel = "butler.butlerlabs.dev/addon-uid";

const rollbackWords = /^Rollback to (\d{1,9})\b/;

/** Which revision a revision repeats; undefined for one that was installed or upgraded to. Helm itself says so. */
export function repeatedRevision({ description }: Pick<Revision, "description">): number | undefined {
  const [, revision] = rollbackWords.exec(description) ?? [];
  return revision === undefined ? undefined : Number(revision);
}

/**
 * Whether helm was told to end while it made a revision, as happens when the process that started it ends. That says
 * nothing against what was to be made.
 */
export function isBrokenOff({ status, description }: Revision): boolean {
  return status === "failed" && /context cancell?ed/.test(description);
}

/** Whether a revision is what was asked for. */
export function fulfils(revision: Revision | undefined, target: ReleaseTarget): revision is Revision {
  if (revision?.status !== "deployed") return false;
  if (target.kind === "release") return revision.fingerprint === target.fingerprint;
  if (target.kind === "absent") return false;
  return revision.revision === target.revision || repeatedRevision(revision) === target.revision;
}

/** The revision that runs: the newest that was deployed, whatever was tried since. */
export function runningRevision(revisions: readonly Revision[]): Revision | undefined {
  return revisions.find(({ status }) => status === "deployed");
}

/**
 * The revision to go back to when the newest has failed: the last of which everything was ready. Undefined when it is
 * not known any more, or is the newest itself.
 */
export function goodRevision(revisions: readonly Revision[], lastGood: number | undefined): Revision | undefined {
  const good = revisions.find(({ revision }) => revision === lastGood);
  const canRun = good?.status === "deployed" || good?.status === "superseded";
  return canRun && good.revision !== revisions[0]?.revision ? good : undefined;
}

/**
 * The revision made from this that the newest one undoes, if it does. There may be others between them: of rollbacks
 * that failed, or that nobody finished.
 */
export function undoneRevision([newest, ...older]: readonly Revision[], fingerprint: string): Revision | undefined {
  if (newest?.status !== "deployed" || newest.fingerprint === fingerprint) return undefined;
  const repeated = repeatedRevision(newest);
  if (repeated === undefined) return undefined;
  return older.find((each) => each.fingerprint === fingerprint && each.revision > repeated);
}
