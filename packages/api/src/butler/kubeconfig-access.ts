import type { TeamRole } from "./team-role.ts";

/**
 * Who gets the admin kubeconfig of a cluster. All admins of a team share this file, and it outlives a membership, so it
 * is for those only who could grant themselves every other access. Read by the server, the namespace roles, the console
 * and butlerctl.
 */
export const kubeconfigAccess: { readonly role: TeamRole; readonly hint: string } = {
  role: "admin",
  hint: "Open a terminal on the cluster's page in the console, or ask an admin of the team.",
};
