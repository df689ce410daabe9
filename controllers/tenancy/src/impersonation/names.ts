/** The name of the controller, which is also in the note that it leaves on what it made. */
export const impersonationControllerName = "impersonation";

/** The ClusterRole with everybody whom Butler's server may act as. The chart binds it to the server's account. */
export const peopleRoleName = "butler-server-people";
