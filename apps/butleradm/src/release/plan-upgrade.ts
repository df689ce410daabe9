import { deployedRevision, isPending, newestRevision, type Release } from "@butler/helm";
import { Conflict, Forbidden, NotFound } from "@butler/std";
import semver from "semver";

/** The current and the target version of an upgrade. */
export interface UpgradePlan {
  /** The revision to roll back to on failure. */
  readonly from: Release;
  readonly fromVersion: string;
  readonly toVersion: string;
  readonly isSameVersion: boolean;
}

/** Input of an upgrade plan. */
export interface UpgradeFacts {
  readonly namespace: string;
  /** All revisions of Butler in the namespace. */
  readonly history: readonly Release[];
  readonly toVersion: string;
  readonly nowMs: number;
  /** Age after which a pending revision counts as interrupted. */
  readonly leftoverAfterMs: number;
}

/** Plans an upgrade; throws with the reason when it is not possible. */
export function planUpgrade({ namespace, history, toVersion, nowMs, leftoverAfterMs }: UpgradeFacts): UpgradePlan {
  const from = deployedRevision(history);
  const newest = newestRevision(history);
  if (from === undefined || newest === undefined) {
    throw new NotFound(`no deployed Butler release to upgrade in namespace ${namespace}`, {
      hint: newest === undefined ? "Install it with: butleradm install" : "Install it again with: butleradm install",
    });
  }
  const begunMs = Date.parse(newest.lastDeployed ?? newest.firstDeployed ?? "");
  if (isPending(newest) && !(nowMs - begunMs >= leftoverAfterMs)) {
    throw new Conflict(`another operation is in progress: revision ${newest.revision} has status ${newest.status}`, {
      hint: "Wait until it finishes. If it was interrupted, run this command again after a few minutes.",
    });
  }
  const fromVersion = from.chart.version;
  const [older, younger] = [semver.parse(fromVersion), semver.parse(toVersion)];
  if (older !== null && younger !== null && semver.lt(younger, older)) {
    throw new Forbidden(`cannot downgrade Butler from version ${fromVersion} to ${toVersion}`, {
      hint: "Objects may have fields that the older version does not support. To undo an upgrade, restore a backup into a new installation.",
    });
  }
  return { from, fromVersion, toVersion, isSameVersion: fromVersion === toVersion };
}
