import { z } from "zod";

/** Roles as stored. `member` is the spelling of older manifests and means operator. */
const role = z.enum(["admin", "operator", "viewer", "member"]).default("viewer");

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

/** A role that our code decides with. */
export type TeamRole = "admin" | "operator" | "viewer";

/** The role that a stored one stands for. */
export function effectiveRole(stored: z.output<typeof role>): TeamRole {
  return stored === "member" ? "operator" : stored;
}
