import { deployedRevision, isPending, newestRevision, type Release } from "@butler/helm";
import { Conflict, Forbidden, NotFound } from "@butler/std";
import semver from "semver";

/** What an upgrade starts from and where it leads. */
export interface UpgradePlan {
  /** The revision to return to when it fails. */
  readonly from: Release;
  readonly fromVersion: string;
  readonly toVersion: string;
  readonly isSameVersion: boolean;
}

/** What is known before an upgrade. */
export interface UpgradeFacts {
  readonly namespace: string;
  /** All revisions of Butler in the namespace. */
  readonly history: readonly Release[];
  readonly toVersion: string;
  readonly nowMs: number;
  /** From what age on an unfinished revision is nobody's. */
  readonly leftoverAfterMs: number;
}

/** Decides whether an upgrade can begin; throws, saying why, where it cannot. */
export function planUpgrade({ namespace, history, toVersion, nowMs, leftoverAfterMs }: UpgradeFacts): UpgradePlan {
  const from = deployedRevision(history);
  const newest = newestRevision(history);
  if (from === undefined || newest === undefined) {
    throw new NotFound(`there is no Butler in ${namespace} that works and could be upgraded`, {
      hint: newest === undefined ? "Install it with: butleradm install" : "Install it again with: butleradm install",
    });
  }
  const begunMs = Date.parse(newest.lastDeployed ?? newest.firstDeployed ?? "");
  if (isPending(newest) && !(nowMs - begunMs >= leftoverAfterMs)) {
    throw new Conflict(`somebody is upgrading Butler: revision ${newest.revision} is ${newest.status}`, {
      hint: "Wait until they are done. One that was broken off is taken up by itself after some minutes.",
    });
  }
  const fromVersion = from.chart.version;
  const [older, younger] = [semver.parse(fromVersion), semver.parse(toVersion)];
  if (older !== null && younger !== null && semver.lt(younger, older)) {
    throw new Forbidden(`Butler is at version ${fromVersion}, and does not go back to ${toVersion}`, {
      hint: "Objects may have fields that the older version does not know. To undo an upgrade, restore a backup into a new installation.",
    });
  }
  return { from, fromVersion, toVersion, isSameVersion: fromVersion === toVersion };
}
