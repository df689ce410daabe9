import { z } from "zod";
import type { StoredRole } from "./team-role.ts";

const roles = ["admin", "operator", "viewer", "member"] as const satisfies readonly StoredRole[];
const role = z.enum(roles).default("viewer");

/** Members of a Team or of one of its environments. */
export const teamAccess = z.object({
  users: z
    .array(
      z.object({
        name: z.string().min(1).describe("E-mail address: User.spec.email, or the e-mail in the sign-in token."),
        role: role.describe("Role of the person. `member` is an older word for operator."),
      }),
    )
    .optional()
    .describe("People with a role of their own."),
  groups: z
    .array(
      z.object({
        name: z.string().min(1).describe("Group name in the sign-in token, or the distinguished name of an AD group."),
        role: role.describe("Role that every member of the group receives. `member` is an older word for operator."),
        identityProvider: z
          .string()
          .optional()
          .describe("IdentityProvider that the sign-in must have come through; when empty, any."),
      }),
    )
    .optional()
    .describe("Directory groups whose members have a role."),
});
