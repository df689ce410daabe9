import { conditions, defineResource, localRef, observedGeneration, type ObjectOf, withRules } from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";
import { providerTypes } from "./provider-type.ts";

const teamRef = localRef("Team").describe("Team that the policy applies to.");

const scope = withRules(
  z.object({
    clusterWide: z.object({}).optional().describe("All teams. Written as `clusterWide: {}`."),
    team: z.object({ teamRef }).optional().describe("A single team, in all of its environments."),
    teamAndEnvironment: z
      .object({
        teamRef,
        environmentName: z.string().min(1).max(63).describe("Name of an environment of the team."),
      })
      .optional()
      .describe("A single environment of a team."),
  }),
  {
    rule: "[has(self.clusterWide), has(self.team), has(self.teamAndEnvironment)].filter(x, x).size() == 1",
    message: "exactly one of clusterWide, team or teamAndEnvironment must be set",
  },
);

const option = withRules(
  z.object({
    mode: z
      .enum(["pin", "allowList", "default", "recommended"])
      .describe(
        "`pin` allows a single value and `allowList` the listed values; both are enforced. `recommended` lists " +
          "the values first and `default` preselects one; neither restricts the choice.",
      ),
    values: z
      .array(z.string())
      .max(256)
      .optional()
      .describe("Provider IDs. Exactly one for pin, at least one for allowList and recommended."),
    default: z
      .string()
      .optional()
      .describe("Preselected ID. Required for mode default, optional for mode allowList, ignored otherwise."),
    recommendedReason: z
      .string()
      .max(120)
      .optional()
      .describe("Reason for the recommendation, shown to users. At most 120 characters."),
  }),
  {
    rule: "self.mode != 'pin' || (has(self.values) && size(self.values) == 1)",
    message: "mode pin requires exactly one value",
    fieldPath: ".values",
  },
  {
    rule: "!(self.mode in ['allowList', 'recommended']) || (has(self.values) && size(self.values) > 0)",
    message: "modes allowList and recommended require at least one value",
    reason: "FieldValueRequired",
    fieldPath: ".values",
  },
  {
    rule: "self.mode != 'default' || (has(self.default) && self.default != '')",
    message: "mode default requires the ID of the default option",
    reason: "FieldValueRequired",
    fieldPath: ".default",
  },
);

const options = withRules(
  z.object({
    image: option.optional().describe("Machine images. Not restricted if unset."),
    network: option.optional().describe("Networks or subnets for the machines. Not restricted if unset."),
    cluster: option.optional().describe("Provider clusters that run the machines. Not restricted if unset."),
    storageContainer: option.optional().describe("Storage for the disks. Not restricted if unset."),
  }),
  {
    rule: "has(self.image) || has(self.network) || has(self.cluster) || has(self.storageContainer)",
    message: "at least one of image, network, cluster or storageContainer must be set",
  },
);

/** Restrictions and recommendations for the options of new clusters. */
export const ClusterCreationPolicy = defineResource({
  ...butlerGroup,
  kind: "ClusterCreationPolicy",
  plural: "clustercreationpolicies",
  scope: "Cluster",
  shortNames: ["ccp"],
  doc:
    "ClusterCreationPolicy restricts or recommends the options for new clusters: images, networks, provider " +
    "clusters and storage. If several policies apply, the policy with the narrowest scope is used.",
  spec: z.object({
    scope: scope.describe("Teams and environments that the policy applies to. Exactly one of the fields must be set."),
    targetProviders: z
      .array(z.enum(providerTypes))
      .max(64)
      .optional()
      .describe("Providers that the policy applies to. If empty, the policy applies to all providers."),
    options: options.describe("Rule for each option. Options without a rule are not restricted."),
  }),
  status: z.object({
    conditions: conditions("Ready"),
    observedGeneration: observedGeneration(),
    staleReferences: z.array(z.string()).optional().describe("IDs in the policy that do not exist on the provider."),
  }),
  columns: {
    Team: ".spec.scope.team.teamRef.name",
    Env: ".spec.scope.teamAndEnvironment.environmentName",
    Providers: ".spec.targetProviders",
  },
  example: {
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
