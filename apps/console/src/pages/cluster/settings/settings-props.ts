import type { ClusterView } from "../../../parts/cluster-facts.ts";
import type { TeamView } from "../../../session/me.ts";

/** Props of every settings panel. */
export interface SettingsProps {
  readonly cluster: ClusterView;
  readonly team: TeamView;
}
