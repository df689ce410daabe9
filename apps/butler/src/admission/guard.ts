import type { AdmissionHandler } from "@butler/kube";
import { apiVersionOf, type DynamicObject, type Kind } from "@butler/resource";
import { webhookConfigurationKinds } from "./manifests.ts";

const group = "admissionregistration.k8s.io";

/** The policies by which the API server itself decides, and what applies them. */
export const guardKinds = {
  policy: policyKind("ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
  binding: policyKind("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"),
} as const;

function policyKind(kind: string, plural: string): Kind {
  return { group, version: "v1", kind, plural, scope: "Cluster" };
}

/**
 * Whether a webhook that fails closed covers the kind of the request. The mutating webhooks are registered before the
 * validating ones, which judge their result.
 */
const isCovered = [
  "has(params.webhooks) && params.webhooks.exists(webhook,",
  '(!has(webhook.failurePolicy) || webhook.failurePolicy == "Fail") && has(webhook.rules) &&',
  "webhook.rules.exists(rule, rule.apiGroups.exists(name, name == request.resource.group) &&",
  "rule.resources.exists(name, name == request.resource.resource)))",
].join(" ");

/**
 * Rejects every write of a kind that an admission server validates while its webhooks are not registered: between the
 * installation, which brings empty configurations, and the first start of the server, and whenever they are emptied,
 * weakened or deleted. No process is needed for it.
 */
export function admissionGuard(name: string, handlers: readonly AdmissionHandler[]): DynamicObject[] {
  const { policy, binding } = guardKinds;
  const validating = webhookConfigurationKinds.validating;
  const metadata = { name, labels: { "app.kubernetes.io/managed-by": "butler" } };
  return [
    {
      apiVersion: apiVersionOf(policy),
      kind: policy.kind,
      metadata,
      spec: {
        failurePolicy: "Fail",
        paramKind: { apiVersion: apiVersionOf(validating), kind: validating.kind },
        matchConstraints: { matchPolicy: "Equivalent", resourceRules: rulesOf(handlers) },
        validations: [
          {
            expression: isCovered,
            reason: "Forbidden",
            message: `the admission webhooks of ${name} are not registered; wait until its Deployment is ready, then retry`,
          },
        ],
      },
    },
    {
      apiVersion: apiVersionOf(binding),
      kind: binding.kind,
      metadata,
      spec: {
        policyName: name,
        paramRef: { name, parameterNotFoundAction: "Deny" },
        validationActions: ["Deny"],
      },
    },
  ];
}

/** What validating webhooks are called for: one rule for each API version. */
function rulesOf(handlers: readonly AdmissionHandler[]): object[] {
  const kinds = handlers.filter((handler) => !Object.hasOwn(handler, "mutate")).map(({ kind }) => kind);
  return [...Map.groupBy(kinds, apiVersionOf).values()].map((ofVersion) => ({
    apiGroups: [ofVersion[0]?.group ?? ""],
    apiVersions: [ofVersion[0]?.version ?? ""],
    resources: [...new Set(ofVersion.map(({ plural }) => plural))].sort(),
    operations: ["CREATE", "UPDATE", "DELETE"],
    scope: "*",
  }));
}
