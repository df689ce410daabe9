import type { ReleaseTarget, Revision } from "./situation.ts";

/** The label with the fingerprint of the inputs of a revision. */
export const fingerprintLabel = "butler.butlerlabs.dev/fingerprint";

/** The label with the uid of the object of a revision. */
export const ownerLabel = "butler.butlerlabs.dev/addon-uid";

const rollbackWords = /^Rollback to (\d{1,9})\b/;

/** The revision that a rollback restored; undefined for installs and upgrades. From Helm's own description. */
export function repeatedRevision({ description }: Pick<Revision, "description">): number | undefined {
  const [, revision] = rollbackWords.exec(description) ?? [];
  return revision === undefined ? undefined : Number(revision);
}

/**
 * Whether helm was terminated while it created a revision, as happens when the process that started it ends. This does not
 * count as a failure of the release.
 */
export function isBrokenOff({ status, description }: Revision): boolean {
  return status === "failed" && /context cancell?ed/.test(description);
}

/** Whether a revision matches the target. */
export function fulfils(revision: Revision | undefined, target: ReleaseTarget): revision is Revision {
  if (revision?.status !== "deployed") return false;
  if (target.kind === "release") return revision.fingerprint === target.fingerprint;
  if (target.kind === "absent") return false;
  return revision.revision === target.revision || repeatedRevision(revision) === target.revision;
}

/** The running revision: the newest deployed one, whatever was tried since. */
export function runningRevision(revisions: readonly Revision[]): Revision | undefined {
  return revisions.find(({ status }) => status === "deployed");
}

/**
 * The revision to roll back to when the newest has failed: the last one that was ready. Undefined when it no longer
 * exists, or is the newest itself.
 */
export function goodRevision(revisions: readonly Revision[], lastGood: number | undefined): Revision | undefined {
  const good = revisions.find(({ revision }) => revision === lastGood);
  const canRun = good?.status === "deployed" || good?.status === "superseded";
  return canRun && good.revision !== revisions[0]?.revision ? good : undefined;
}

/**
 * The revision with this fingerprint that the newest one rolled back, if any. There may be others between them: rollbacks
 * that failed or never finished.
 */
export function undoneRevision([newest, ...older]: readonly Revision[], fingerprint: string): Revision | undefined {
  if (newest?.status !== "deployed" || newest.fingerprint === fingerprint) return undefined;
  const repeated = repeatedRevision(newest);
  if (repeated === undefined) return undefined;
  return older.find((each) => each.fingerprint === fingerprint && each.revision > repeated);
}
