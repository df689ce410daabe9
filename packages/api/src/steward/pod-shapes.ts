import { int32, int64, intOrString, quantity, stringMap, withRules } from "@butler/resource";
import { z } from "zod";

const amounts = (doc: string) => z.record(z.string(), quantity()).meta({ maxProperties: 32 }).optional().describe(doc);

/** Resource requests and limits of a container (core/v1 ResourceRequirements). */
export const resourceRequirements = z.object({
  requests: amounts("Minimum amount of resources required, by resource name such as cpu or memory."),
  limits: amounts("Maximum amount of resources allowed, by resource name such as cpu or memory."),
  claims: z
    .array(
      z.object({
        name: z.string().describe("Name of one of the pod's resource claims."),
        request: z
          .string()
          .optional()
          .describe("Name of a request in the claim. If empty, the container can use all devices in the claim."),
      }),
    )
    .optional()
    .describe("Pod resource claims that the container uses."),
});

/** A toleration of a pod (core/v1 Toleration). */
export const toleration = z.object({
  key: z
    .string()
    .optional()
    .describe("Key of the taint. If empty and operator is Exists, the toleration matches all taints."),
  operator: z
    .enum(["Exists", "Equal", "Lt", "Gt"])
    .optional()
    .describe("How to compare value with the value of the taint. Defaults to Equal."),
  value: z.string().optional().describe("Value of the taint. Must be empty if operator is Exists."),
  effect: z
    .enum(["NoSchedule", "PreferNoSchedule", "NoExecute"])
    .optional()
    .describe("Effect of the taint. If empty, the toleration matches all effects."),
  tolerationSeconds: int64()
    .optional()
    .describe(
      "Number of seconds for which the pod tolerates a NoExecute taint. If unset, the taint is tolerated forever.",
    ),
});

/** A selector of objects by label (meta/v1 LabelSelector). */
export const labelSelector = z.object({
  matchLabels: stringMap().optional().describe("Labels that must match exactly."),
  matchExpressions: z
    .array(
      z.object({
        key: z.string().describe("Key of the label."),
        operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]).describe("How the key relates to the values."),
        values: z
          .array(z.string())
          .optional()
          .describe("Values for the operators In and NotIn. Must be empty otherwise."),
      }),
    )
    .optional()
    .describe("Label selector requirements. All requirements must be satisfied."),
});

const nodePolicy = (doc: string) => z.enum(["Honor", "Ignore"]).optional().describe(doc);

/** How pods are spread over nodes or zones (core/v1 TopologySpreadConstraint). */
export const topologySpreadConstraint = z.object({
  maxSkew: int32().min(1).describe("Maximum difference in the number of pods between any two domains."),
  topologyKey: z.string().min(1).describe("Node label whose values define the domains."),
  whenUnsatisfiable: z
    .enum(["DoNotSchedule", "ScheduleAnyway"])
    .describe("How to handle a pod that does not satisfy the constraint."),
  labelSelector: labelSelector
    .optional()
    .describe("Selects the pods to count. Defaults to the pods of this control plane."),
  minDomains: int32().min(1).optional().describe("Minimum number of eligible domains."),
  nodeAffinityPolicy: nodePolicy(
    "Honor counts only the nodes that match the pod's nodeAffinity and nodeSelector; Ignore counts all nodes. Defaults to Honor.",
  ),
  nodeTaintsPolicy: nodePolicy(
    "Honor counts only the nodes whose taints the pod tolerates; Ignore counts all nodes. Defaults to Ignore.",
  ),
  matchLabelKeys: z
    .array(z.string())
    .optional()
    .describe("Pod label keys that further restrict the pods that are counted."),
});

const share = (doc: string) =>
  withRules(intOrString().meta({ maxLength: 16 }), {
    rule: "type(self) == int ? self >= 0 : string(self).matches('^[0-9]+%$')",
    message: "must be a number of pods such as 1 or a percentage such as 25%",
  })
    .optional()
    .describe(doc);

/** How pods are replaced when the template changes (apps/v1 DeploymentStrategy). */
export const deploymentStrategy = withRules(
  z.object({
    type: z.enum(["RollingUpdate", "Recreate"]).optional().describe("Type of the deployment strategy."),
    rollingUpdate: z
      .object({
        maxUnavailable: share("Maximum number or percentage of pods that can be unavailable during the update."),
        maxSurge: share("Maximum number or percentage of pods that can be created above the desired number of pods."),
      })
      .optional()
      .describe("Rolling update settings."),
  }),
  {
    rule: "!has(self.rollingUpdate) || !has(self.type) || self.type == 'RollingUpdate'",
    message: "may only be set when type is RollingUpdate",
    fieldPath: ".rollingUpdate",
    reason: "FieldValueForbidden",
  },
);

/** Labels and annotations to add to an object that Steward creates. */
export const additionalMetadata = z.object({
  labels: stringMap().optional().describe("Labels to add."),
  annotations: stringMap().optional().describe("Annotations to add."),
});
