import type { TeamView } from "../session/me.ts";

/** A team for tests; parts of it can be said differently. */
export function aTeam(parts: Partial<TeamView> = {}): TeamView {
  return {
    name: "payments",
    displayName: "Payments",
    description: "",
    namespace: "payments",
    phase: "Ready",
    role: "operator",
    clusterCount: 1,
    memberCount: 1,
    groupCount: 0,
    labels: {},
    createdAt: "2026-06-01T12:00:00Z",
    environments: [],
    ...parts,
  };
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
