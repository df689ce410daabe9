import { addonState as stateOfAddon, type State } from "@butler/api";
import { type addonView, type catalogEntry, platformAddons } from "@butler/contract";
import type { z } from "zod";
import type { ClusterView } from "./cluster-facts.ts";

/** An add-on of a cluster as the API returns it. The live channel omits its values. */
export type AddonView = z.output<typeof addonView>;

/** An entry of the catalog. */
export type CatalogEntry = z.output<typeof catalogEntry>;

/** State of an add-on as tone and word. */
export function addonState({ paused, status }: AddonView): State {
  const { tone, word } = stateOfAddon(status.phase, paused);
  return { tone, word };
}

/** All add-ons of a cluster: those enabled explicitly, and those found in the cluster. */
export function addonsOf(own: readonly AddonView[], { status }: Pick<ClusterView, "status">): AddonView[] {
  const known = new Set(own.flatMap(({ name, addon }) => [name, addon]));
  return [...own, ...platformAddons(status?.observedState?.addons, known)];
}

/** Why no user can change an add-on here; undefined if it can be changed. */
export function fixedBecause({ platform, managedBy, status }: AddonView): string | undefined {
  if (status.phase === "Deleting") return "The add-on is being removed.";
  if (managedBy !== "butler") return `Managed by ${managedBy}.`;
  return platform ? "Managed by the platform." : undefined;
}

/** All versions of an entry, newest first, without duplicates. */
export function versionsOf({ defaultVersion, availableVersions }: CatalogEntry): string[] {
  return [...new Set([defaultVersion, ...availableVersions])].sort((left, right) => compareVersions(right, left));
}

/** The newest version of the entry that is newer than the installed one; undefined if there is none. */
export function openUpgrade(addon: AddonView, entry: CatalogEntry | undefined): string | undefined {
  const current = addon.version || addon.status.installedVersion;
  const [newest] = entry === undefined ? [] : versionsOf(entry);
  return newest !== undefined && current !== "" && compareVersions(newest, current) > 0 ? newest : undefined;
}

/** Revisions that an add-on can be rolled back to, newest first. Helm keeps ten. */
export function earlierRevisions({ status }: AddonView): number[] {
  const current = status.revision ?? 0;
  const count = Math.max(0, Math.min(9, current - 1));
  return Array.from({ length: count }, (_none, index) => current - 1 - index);
}

/** Negative if the left version is older. A pre-release is older than its release. */
export function compareVersions(left: string, right: string): number {
  const [leftMain, leftRest] = partsOf(left);
  const [rightMain, rightRest] = partsOf(right);
  const byNumber = leftMain.localeCompare(rightMain, "en", { numeric: true });
  if (byNumber !== 0 || leftRest === rightRest) return byNumber;
  if (leftRest === undefined) return 1;
  return rightRest === undefined ? -1 : leftRest.localeCompare(rightRest, "en", { numeric: true });
}

/** Numbers and pre-release part; build metadata after a plus is ignored. */
function partsOf(version: string): readonly [string, string | undefined] {
  const plain = version.replace(/^v/, "").split("+")[0] ?? "";
  const at = plain.indexOf("-");
  return at < 0 ? [plain, undefined] : [plain.slice(0, at), plain.slice(at + 1)];
}
