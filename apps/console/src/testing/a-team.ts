import { teamView } from "@butler/contract";
import type { TeamView } from "../session/me.ts";
import { exampleOf } from "./example-of.ts";

/** A team for tests; parts of it can be said differently. */
export function aTeam(parts: Partial<TeamView> = {}): TeamView {
  return exampleOf(teamView, { clusterCount: 1, memberCount: 1, groupCount: 0, ...parts });
}

/** Usage of a team without limits. */
export const usage = {
  clusters: 1,
  nodes: 3,
  cpu: "12",
  memory: "48Gi",
  storage: "300Gi",
  percent: {},
  status: "OK",
  message: "",
};
