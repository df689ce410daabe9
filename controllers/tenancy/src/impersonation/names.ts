/** The name of the controller, also in the annotation on the objects it creates. */
export const impersonationControllerName = "impersonation";

/**
 * The ClusterRole with all users and groups that Butler's server may impersonate. The chart binds it to the server's
 * account.
 */
export const peopleRoleName = "butler-server-people";
