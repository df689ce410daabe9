import { z } from "zod";
import type { StoredRole } from "./team-role.ts";

const roles = ["admin", "operator", "viewer", "member"] as const satisfies readonly StoredRole[];
const role = z.enum(roles).default("viewer");

/** Members of a Team or of one of its environments. */
export const teamAccess = z.object({
  users: z
    .array(
      z.object({
        name: z.string().min(1).describe("Email address: User.spec.email, or the email claim in the sign-in token."),
        role: role.describe("Role of the user. `member` is a deprecated alias for operator."),
      }),
    )
    .optional()
    .describe("Users with a role in the team."),
  groups: z
    .array(
      z.object({
        name: z
          .string()
          .min(1)
          .describe(
            "Full name of the group, exactly as in the sign-in token: `ops`, `ops@example.com` and `CN=ops,DC=example,DC=com` are " +
              "three different groups. ASCII letters are compared case-insensitively.",
          ),
        role: role.describe("Role of the group's members. `member` is a deprecated alias for operator."),
        identityProvider: z
          .string()
          .optional()
          .describe(
            "IdentityProvider that members must have signed in with. If empty, any identity provider is accepted.",
          ),
      }),
    )
    .optional()
    .describe("Directory groups whose members have a role in the team."),
});
