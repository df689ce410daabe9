import {
  conditions,
  defineResource,
  email,
  int32,
  int64,
  observedGeneration,
  type ObjectOf,
  secretRef,
  time,
} from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";

const text = (doc: string) => z.string().optional().describe(doc);
const moment = (doc: string) => time().optional().describe(doc);

const sshKey = z.object({
  name: z.string().min(1).max(63).describe("Name of the key, for people."),
  publicKey: z.string().min(1).describe("The public key as one line in OpenSSH form."),
  fingerprint: text(
    "SHA256 fingerprint of the key, which the server works out when the key is added; empty on keys added otherwise.",
  ),
  addedAt: moment("When the key was added; empty on keys added otherwise than through the server."),
});

/** A person's account; what they may do in teams is in the Teams that name their e-mail address or groups. */
export const User = defineResource({
  ...butlerGroup,
  kind: "User",
  scope: "Cluster",
  shortNames: ["usr"],
  doc:
    "User is the account of a person, who signs in with a password or through an identity provider. Teams name " +
    "people by e-mail address; a password is never part of the spec.",
  spec: z.object({
    email: email().describe("E-mail address, by which Teams name the person."),
    displayName: text("Name shown to people; when empty the e-mail address is shown."),
    disabled: z.boolean().default(false).describe("Whether signing in is refused; false when absent."),
    avatar: text("URL of a picture; when empty initials are shown."),
    authType: z
      .enum(["sso", "internal"])
      .default("internal")
      .describe(
        "`internal` signs in with e-mail address and password; `sso` through an identity provider. `internal` when " +
          "absent.",
      ),
    ssoProvider: text("Name of the identity provider, for authType sso."),
    ssoSubject: text("The person's `sub` claim at the identity provider, for authType sso."),
    isPlatformAdmin: z
      .boolean()
      .default(false)
      .describe("Older way to say platformRole admin; either one is enough. false when absent."),
    platformRole: z
      .enum(["admin", "viewer", ""])
      .optional()
      .describe("`admin` may do everything, `viewer` may read everything; when empty only team roles count."),
    sshKeys: z
      .array(sshKey)
      .optional()
      .describe("Public keys that open the person's workspaces; when empty, each workspace must name its own."),
  }),
  status: z.object({
    phase: z
      .enum(["Pending", "Active", "Disabled", "Locked"])
      .optional()
      .describe("Pending waits for a first password; Locked follows too many failed sign-ins and ends by itself."),
    passwordSecretRef: secretRef().optional().describe("Secret with the bcrypt hash of the password."),
    inviteTokenHash: text("SHA256 hash of the invitation's token; the token itself is shown once and not kept."),
    inviteExpiresAt: moment("When the invitation ends."),
    inviteSentAt: moment("When the invitation was made."),
    passwordChangedAt: moment("When the password was last set."),
    lastLoginTime: moment("When the person last signed in."),
    loginCount: int64().optional().describe("How often the person has signed in."),
    failedLoginAttempts: int32().optional().describe("Failed sign-ins since the last good one."),
    lockedUntil: moment("When the lock ends."),
    lastSeenGroups: z.array(z.string()).optional().describe("Groups in the token of the last sign-in."),
    teams: z
      .array(
        z.object({
          name: z.string().describe("Name of the Team."),
          role: z.string().describe("The person's highest role in it."),
        }),
      )
      .optional()
      .describe("Teams that the person was found in, for information; access is decided from the Teams themselves."),
    teamsResolvedAt: moment("When the list of teams last changed."),
    conditions: conditions("Ready", "InvitePending", "InviteExpired"),
    observedGeneration: observedGeneration(),
  }),
  columns: [
    { name: "Email", type: "string", jsonPath: ".spec.email" },
    { name: "Display Name", type: "string", jsonPath: ".spec.displayName" },
    { name: "Auth", type: "string", jsonPath: ".spec.authType" },
    { name: "Platform Admin", type: "boolean", jsonPath: ".spec.isPlatformAdmin" },
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Last Login", type: "date", jsonPath: ".status.lastLoginTime" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "User",
    metadata: { name: "ada" },
    spec: {
      email: "ada@example.com",
      displayName: "Ada Lovelace",
      platformRole: "viewer",
      sshKeys: [
        {
          name: "laptop",
          publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJcw0l1b0k3q7mVn3o5S1R2t8u4yXwZbA6c9dEfGhIjK ada@laptop",
        },
      ],
    },
  },
});
export type User = ObjectOf<typeof User>;

/** The role that a person has on the whole platform, if any, with the older flag read as admin. */
export function effectivePlatformRole(spec: User["spec"]): "admin" | "viewer" | undefined {
  if (spec.isPlatformAdmin) return "admin";
  return spec.platformRole === "" ? undefined : spec.platformRole;
}
