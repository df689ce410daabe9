import type { z } from "zod";
import type { addonView } from "./addon.ts";

interface FoundAddon {
  readonly name: string;
  readonly version: string;
  readonly status: string;
  readonly managedBy: string;
}

/** Add-ons that were found in a cluster and that are not among those known by name. */
export function platformAddons(
  found: readonly FoundAddon[] | undefined,
  known: ReadonlySet<string>,
): z.output<typeof addonView>[] {
  return (found ?? [])
    .filter(({ name }) => !known.has(name))
    .map(({ name, version, status, managedBy }) => ({
      name,
      addon: name,
      displayName: name,
      version,
      platform: true,
      managedBy,
      paused: false,
      status: { phase: status === "Healthy" ? "Installed" : status, installedVersion: version, message: "" },
    }));
}
