import { int32, int64, intOrString, quantity, stringMap, withRules } from "@butler/resource";
import { z } from "zod";

const amounts = (doc: string) => z.record(z.string(), quantity()).meta({ maxProperties: 32 }).optional().describe(doc);

/** What a container asks for and may use (core/v1 ResourceRequirements). */
export const resourceRequirements = z.object({
  requests: amounts("Amounts that the scheduler sets aside, by resource name such as cpu or memory."),
  limits: amounts("Amounts that the container may not exceed, by resource name such as cpu or memory."),
  claims: z
    .array(
      z.object({
        name: z.string().describe("Name of one of the pod's resource claims."),
        request: z.string().optional().describe("One request of the claim; when empty, the whole claim is meant."),
      }),
    )
    .optional()
    .describe("Resource claims of the pod that the container uses."),
});

/** A taint that the pod puts up with (core/v1 Toleration). */
export const toleration = z.object({
  key: z.string().optional().describe("Key of the taint; when empty with operator Exists, every taint is meant."),
  operator: z
    .enum(["Exists", "Equal", "Lt", "Gt"])
    .optional()
    .describe("How the value is compared; when empty, Equal."),
  value: z.string().optional().describe("Value of the taint; left out with operator Exists."),
  effect: z
    .enum(["NoSchedule", "PreferNoSchedule", "NoExecute"])
    .optional()
    .describe("Effect of the taint; when empty, every effect is meant."),
  tolerationSeconds: int64()
    .optional()
    .describe("Seconds that the pod stays after a NoExecute taint appears; when empty, it stays for good."),
});

/** Which objects are meant, by their labels (meta/v1 LabelSelector). */
export const labelSelector = z.object({
  matchLabels: stringMap().optional().describe("Labels that must all be present with exactly these values."),
  matchExpressions: z
    .array(
      z.object({
        key: z.string().describe("Key of the label."),
        operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]).describe("How the label is compared."),
        values: z.array(z.string()).optional().describe("Values for In and NotIn; left out otherwise."),
      }),
    )
    .optional()
    .describe("Requirements that must all hold."),
});

const nodePolicy = (doc: string) => z.enum(["Honor", "Ignore"]).optional().describe(doc);

/** How pods are spread over nodes or zones (core/v1 TopologySpreadConstraint). */
export const topologySpreadConstraint = z.object({
  maxSkew: int32().min(1).describe("How far the pod counts of any two domains may differ."),
  topologyKey: z.string().min(1).describe("Node label whose values are the domains."),
  whenUnsatisfiable: z
    .enum(["DoNotSchedule", "ScheduleAnyway"])
    .describe("Whether a pod that cannot be placed evenly waits or is placed all the same."),
  labelSelector: labelSelector.optional().describe("Pods that are counted; when absent, those of this control plane."),
  minDomains: int32().min(1).optional().describe("Domains there must be at least for the count to be even."),
  nodeAffinityPolicy: nodePolicy("Whether nodes that the pod's affinity rules out count; when empty, Honor."),
  nodeTaintsPolicy: nodePolicy("Whether nodes with taints that the pod does not tolerate count; when empty, Ignore."),
  matchLabelKeys: z.array(z.string()).optional().describe("Pod labels whose values further narrow what is counted."),
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
    type: z.enum(["RollingUpdate", "Recreate"]).optional().describe("Whether old pods stay until new ones are ready."),
    rollingUpdate: z
      .object({
        maxUnavailable: share("Pods, or percent of them, that may be missing meanwhile."),
        maxSurge: share("Pods, or percent of them, that may exist above the wanted number meanwhile."),
      })
      .optional()
      .describe("Pace of a rolling update."),
  }),
  {
    rule: "!has(self.rollingUpdate) || !has(self.type) || self.type == 'RollingUpdate'",
    message: "may only be set when type is RollingUpdate",
    fieldPath: ".rollingUpdate",
    reason: "FieldValueForbidden",
  },
);

/** Labels and annotations that are added to an object that Steward makes. */
export const additionalMetadata = z.object({
  labels: stringMap().optional().describe("Labels to add."),
  annotations: stringMap().optional().describe("Annotations to add."),
});
