import { addons } from "./addons.ts";
import { audit } from "./audit.ts";
import { clusters } from "./clusters.ts";
import { controlPlanes } from "./control-planes.ts";
import { events } from "./events.ts";
import { health } from "./health.ts";
import { networks } from "./networks.ts";
import { overview } from "./overview.ts";
import type { Tab, TabId } from "./tab.ts";
import { teams } from "./teams.ts";

/** Every tab, by its name. */
export const allTabs: Readonly<Record<TabId, Tab>> = {
  overview,
  clusters,
  controlPlanes,
  teams,
  networks,
  addons,
  events,
  audit,
  health,
};
