import { Team } from "@butler/api";
import { z } from "zod";
import { emailAddress, environmentName, teamRole } from "../names.ts";
import { filter } from "../paging.ts";

// In a separate file, like those of clusters: forms validate input with these schemas and need nothing else of the
// routes.
const shape = Team.spec.shape;
const role = teamRole.default("viewer").describe("Role. Defaults to viewer.");

/** Fields of an environment. */
export const environmentBody = z.strictObject({
  name: environmentName(),
  description: z.string().max(1000).optional().describe("Description."),
  limits: z
    .strictObject({
      maxClusters: z
        .int()
        .min(0)
        .optional()
        .describe("Maximum number of clusters in the environment. If 0 or absent, the environment has no limit."),
      maxClustersPerMember: z
        .int()
        .min(0)
        .optional()
        .describe("Maximum number of clusters per member in the environment."),
    })
    .optional()
    .describe("Environment limits, within the team limits."),
  access: shape.access.unwrap().optional().describe("Roles in this environment only. Users must be team members."),
  clusterDefaults: shape.clusterDefaults,
});

/** Request body for a new environment. */
export const newEnvironment = environmentBody.meta({
  id: "NewEnvironment",
  examples: [{ name: "dev", limits: { maxClustersPerMember: 1 } }],
});

/** Request body for a new team member. */
export const newMember = z
  .strictObject({ email: emailAddress("Email address of the member."), role })
  .meta({ id: "NewMember", examples: [{ email: "ada@example.com", role: "operator" }] });

/** Request body for a new group of a team. */
export const newGroup = z
  .strictObject({
    name: z.string().min(1).max(1024).describe("Name of the group, as in the user's token."),
    role,
    identityProvider: filter("Identity provider that members must sign in through. Defaults to any."),
  })
  .meta({ id: "NewGroup", examples: [{ name: "payments-developers", role: "operator" }] });
