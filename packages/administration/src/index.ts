/**
 * What administrators do to a platform, decided once for everybody who does it for them: providers with their credentials,
 * accounts and invitations, members of teams, identity providers. butler-server and the operators' command line both write
 * what is decided here; nothing here speaks to anybody.
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
