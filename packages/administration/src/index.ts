/**
 * The logic of platform administration: providers with their credentials, accounts and invitations, members of teams,
 * identity providers. butler-server and the operators' command line both apply its results; it does no I/O of its own.
 */
export * from "./accounts.ts";
export * from "./identity-provider.ts";
export * from "./invitation.ts";
export * from "./members.ts";
export * from "./new-object.ts";
export * from "./presets.ts";
export * from "./provider-plan.ts";
export * from "./provider-use.ts";
export * from "./team-use.ts";
