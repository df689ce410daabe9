import { Team } from "@butler/api";
import { z } from "zod";
import { emailAddress, environmentName, teamRole } from "../names.ts";
import { filter } from "../paging.ts";

// In a file of their own, as those of clusters are: forms judge what is written with them, and need nothing else of routes.
const shape = Team.spec.shape;
const role = teamRole.default("viewer").describe("The role; viewer when absent.");

/** What an environment is made of. */
export const environmentBody = z.strictObject({
  name: environmentName(),
  description: z.string().max(1000).optional().describe("Text for people."),
  limits: z
    .strictObject({
      maxClusters: z.int().min(0).optional().describe("Clusters in it; 0 or absent means no limit of its own."),
      maxClustersPerMember: z.int().min(0).optional().describe("Clusters of one member in it."),
    })
    .optional()
    .describe("Limits within those of the team."),
  access: shape.access.unwrap().optional().describe("Roles in this environment only; people must be in the team."),
  clusterDefaults: shape.clusterDefaults,
});

/** What a new environment is asked for with. */
export const newEnvironment = environmentBody.meta({
  id: "NewEnvironment",
  examples: [{ name: "dev", limits: { maxClustersPerMember: 1 } }],
});

/** What somebody who is added to a team is asked for with. */
export const newMember = z
  .strictObject({ email: emailAddress("E-mail address of the member."), role })
  .meta({ id: "NewMember", examples: [{ email: "ada@example.com", role: "operator" }] });

/** What a group that is added to a team is asked for with. */
export const newGroup = z
  .strictObject({
    name: z.string().min(1).max(1024).describe("The group as the sign-in spells it."),
    role,
    identityProvider: filter("Identity provider that the sign-in must have come through; any when absent."),
  })
  .meta({ id: "NewGroup", examples: [{ name: "payments-developers", role: "operator" }] });
