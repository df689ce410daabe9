import type { AddonView } from "../parts/addon-facts.ts";

/** Add-on `web` of a cluster, installed and ready. */
export function anAddon(change: Partial<AddonView> = {}): AddonView {
  return {
    name: "web-shop",
    addon: "web",
    displayName: "Web",
    version: "1.2.0",
    platform: false,
    managedBy: "butler",
    paused: false,
    status: { phase: "Installed", installedVersion: "1.2.0", message: "" },
    ...change,
  };
}
