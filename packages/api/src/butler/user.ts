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
  name: z.string().min(1).max(63).describe("Name of the key."),
  publicKey: z.string().min(1).describe("Public key in OpenSSH format, on a single line."),
  fingerprint: text(
    "SHA256 fingerprint of the key. Set by the server; empty for keys that were not added through the server.",
  ),
  addedAt: moment("Time at which the key was added. Empty for keys that were not added through the server."),
});

/** A user account. Permissions in teams are defined by Teams that reference the user's email address or groups. */
export const User = defineResource({
  ...butlerGroup,
  kind: "User",
  scope: "Cluster",
  shortNames: ["usr"],
  doc:
    "User is an account that signs in with a password or through an identity provider. Teams reference users " +
    "by email address. The spec never contains a password.",
  spec: z.object({
    email: email().describe("Email address. Teams reference the user by this address."),
    displayName: text("Display name. Defaults to the email address."),
    disabled: z
      .boolean()
      .default(false)
      .describe("Whether the account is disabled. Disabled users cannot sign in. Defaults to false."),
    avatar: text("URL of the avatar image. If empty, initials are shown."),
    authType: z
      .enum(["sso", "internal"])
      .default("internal")
      .describe(
        "`internal`: sign-in with email address and password. `sso`: sign-in through an identity provider. " +
          "Defaults to `internal`.",
      ),
    ssoProvider: text("Name of the identity provider if authType is sso."),
    ssoSubject: text("`sub` claim of the user at the identity provider if authType is sso."),
    isPlatformAdmin: z
      .boolean()
      .default(false)
      .describe("Deprecated: use platformRole. If true, the user has the platform admin role. Defaults to false."),
    platformRole: z
      .enum(["admin", "viewer", ""])
      .optional()
      .describe(
        "Platform role. `admin` has full access, `viewer` has read-only access. If empty, only team roles apply.",
      ),
    sshKeys: z
      .array(sshKey)
      .optional()
      .describe("SSH public keys for the user's workspaces. If empty, each workspace must specify its own keys."),
  }),
  status: z.object({
    phase: z
      .enum(["Pending", "Active", "Disabled", "Locked"])
      .optional()
      .describe(
        "Current phase. Pending: no password has been set yet. Locked: too many failed sign-ins; unlocked automatically.",
      ),
    passwordSecretRef: secretRef().optional().describe("Secret with the bcrypt hash of the password."),
    inviteTokenHash: text("SHA256 hash of the invitation token. The token itself is shown once and not stored."),
    inviteExpiresAt: moment("Time at which the invitation expires."),
    inviteSentAt: moment("Time at which the invitation was created."),
    passwordChangedAt: moment("Time of the last password change."),
    lastLoginTime: moment("Time of the last sign-in."),
    loginCount: int64().optional().describe("Number of sign-ins."),
    failedLoginAttempts: int32()
      .optional()
      .describe("Number of failed sign-in attempts since the last successful one."),
    lockedUntil: moment(
      "Time until which sign-ins from new devices are blocked because of failed sign-ins from many IP addresses.",
    ),
    lastSeenGroups: z
      .array(z.string())
      .optional()
      .describe("Groups that the identity provider last reported, at a sign-in or at the refresh of a CLI session."),
    groupsResolvedAt: moment(
      "Time at which the identity provider last reported the groups. If it can only be asked at a sign-in, the user's " +
        "CLI sessions end one day later.",
    ),
    teams: z
      .array(
        z.object({
          name: z.string().describe("Name of the Team."),
          role: z.string().describe("Highest role of the user in the team."),
        }),
      )
      .optional()
      .describe("Teams that the user belongs to. Informational only; access is determined by the Teams themselves."),
    teamsResolvedAt: moment("Time of the last change to the list of teams."),
    conditions: conditions("Ready", "InvitePending", "InviteExpired"),
    observedGeneration: observedGeneration(),
  }),
  columns: {
    Email: ".spec.email",
    "Display Name": ".spec.displayName",
    Auth: ".spec.authType",
    "Platform Admin": { type: "boolean", jsonPath: ".spec.isPlatformAdmin" },
    Phase: ".status.phase",
    "Last Login": { type: "date", jsonPath: ".status.lastLoginTime" },
  },
  example: {
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

/** The platform role of a user, if any; the deprecated flag counts as admin. */
export function effectivePlatformRole(spec: User["spec"]): "admin" | "viewer" | undefined {
  if (spec.isPlatformAdmin) return "admin";
  return spec.platformRole === "" ? undefined : spec.platformRole;
}
