import type { BadManifest } from "./bad-manifest.ts";
import { badAddons } from "./butler-a-addons.ts";
import { badBootstraps } from "./butler-a-bootstrap.ts";
import { badOrders } from "./butler-a-orders.ts";
import { badPlatform } from "./butler-a-platform.ts";

/** Broken manifests of the kinds from AddonDefinition to ManagementAddon. */
export const badButlerA: readonly BadManifest[] = [...badAddons, ...badPlatform, ...badBootstraps, ...badOrders];
