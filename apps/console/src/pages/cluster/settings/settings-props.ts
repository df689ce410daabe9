import type { ClusterView } from "../../../parts/cluster-facts.ts";
import type { TeamView } from "../../../session/me.ts";

/** What every part of the settings is given. */
export interface SettingsProps {
  readonly cluster: ClusterView;
  readonly team: TeamView;
}
