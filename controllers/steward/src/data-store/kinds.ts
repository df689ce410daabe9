import type { Kind } from "@butler/resource";

const inGroup = (group: string, kind: string, plural: string): Kind => ({
  group,
  version: "v1",
  kind,
  plural,
  scope: "Namespaced",
});

/** The kinds of Kubernetes that an etcd of Steward's consists of, beside Secrets. */
export const etcdKinds = {
  Service: inGroup("", "Service", "services"),
  StatefulSet: inGroup("apps", "StatefulSet", "statefulsets"),
  PodDisruptionBudget: inGroup("policy", "PodDisruptionBudget", "poddisruptionbudgets"),
  NetworkPolicy: inGroup("networking.k8s.io", "NetworkPolicy", "networkpolicies"),
} as const;
