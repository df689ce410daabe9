import { conditions, defineResource, localRef, observedGeneration, type ObjectOf, withRules } from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";
import { providerTypes } from "./provider-type.ts";

const teamRef = localRef("Team").describe("The team.");

const scope = withRules(
  z.object({
    clusterWide: z.object({}).optional().describe("Every team; written as `clusterWide: {}`."),
    team: z.object({ teamRef }).optional().describe("One team, in all of its environments."),
    teamAndEnvironment: z
      .object({
        teamRef,
        environmentName: z.string().min(1).max(63).describe("Name of an environment of the team."),
      })
      .optional()
      .describe("One environment of one team."),
  }),
  {
    rule: "[has(self.clusterWide), has(self.team), has(self.teamAndEnvironment)].filter(x, x).size() == 1",
    message: "exactly one of clusterWide, team and teamAndEnvironment must be set",
  },
);

const option = withRules(
  z.object({
    mode: z
      .enum(["pin", "allowList", "default", "recommended"])
      .describe(
        "`pin` allows one value and `allowList` those listed; both are enforced. `recommended` lists values first " +
          "and `default` preselects one; both leave the choice free.",
      ),
    values: z
      .array(z.string())
      .max(256)
      .optional()
      .describe("Ids as the provider spells them: exactly one for pin, at least one for allowList and recommended."),
    default: z
      .string()
      .optional()
      .describe("Id that is preselected. Needed for default, possible for allowList, not read otherwise."),
    recommendedReason: z
      .string()
      .max(120)
      .optional()
      .describe("Why the values are recommended, shown to people who choose; at most 120 characters."),
  }),
  {
    rule: "self.mode != 'pin' || (has(self.values) && size(self.values) == 1)",
    message: "mode pin needs exactly one value",
    fieldPath: ".values",
  },
  {
    rule: "!(self.mode in ['allowList', 'recommended']) || (has(self.values) && size(self.values) > 0)",
    message: "the modes allowList and recommended need at least one value",
    reason: "FieldValueRequired",
    fieldPath: ".values",
  },
  {
    rule: "self.mode != 'default' || (has(self.default) && self.default != '')",
    message: "mode default needs the id to preselect",
    reason: "FieldValueRequired",
    fieldPath: ".default",
  },
);

const options = withRules(
  z.object({
    image: option.optional().describe("Images that machines start from; free when absent."),
    network: option.optional().describe("Networks or subnets of the machines; free when absent."),
    cluster: option.optional().describe("Clusters of the provider that run the machines; free when absent."),
    storageContainer: option.optional().describe("Storage of the disks; free when absent."),
  }),
  {
    rule: "has(self.image) || has(self.network) || has(self.cluster) || has(self.storageContainer)",
    message: "at least one of image, network, cluster and storageContainer must be set",
  },
);

/** What people may choose, or are advised to choose, when they create a cluster. */
export const ClusterCreationPolicy = defineResource({
  ...butlerGroup,
  kind: "ClusterCreationPolicy",
  plural: "clustercreationpolicies",
  scope: "Cluster",
  shortNames: ["ccp"],
  doc:
    "ClusterCreationPolicy says what people may choose, or are advised to choose, when they create a cluster: " +
    "images, networks, provider clusters and storage. Of several policies the one with the narrowest scope decides.",
  spec: z.object({
    scope: scope.describe("Whose clusters the policy is for; exactly one of the fields."),
    targetProviders: z
      .array(z.enum(providerTypes))
      .max(64)
      .optional()
      .describe("Kinds of infrastructure that the policy is for; when empty, all."),
    options: options.describe("The rule for each choice; a choice without one is free."),
  }),
  status: z.object({
    conditions: conditions("Ready"),
    observedGeneration: observedGeneration(),
    staleReferences: z
      .array(z.string())
      .optional()
      .describe("Ids in the policy that the provider does not have, or no longer."),
  }),
  columns: [
    { name: "Team", type: "string", jsonPath: ".spec.scope.team.teamRef.name" },
    { name: "Env", type: "string", jsonPath: ".spec.scope.teamAndEnvironment.environmentName" },
    { name: "Providers", type: "string", jsonPath: ".spec.targetProviders" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "ClusterCreationPolicy",
    metadata: { name: "payments-images" },
    spec: {
      scope: { team: { teamRef: { name: "payments" } } },
      targetProviders: ["harvester"],
      options: {
        image: { mode: "allowList", values: ["default/rocky-9.5", "default/flatcar"], default: "default/rocky-9.5" },
        network: { mode: "pin", values: ["default/vlan40"] },
      },
    },
  },
});
export type ClusterCreationPolicy = ObjectOf<typeof ClusterCreationPolicy>;
