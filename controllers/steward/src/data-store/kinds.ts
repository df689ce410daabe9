import { builtinKinds } from "@butler/resource";

const { Service, StatefulSet, PodDisruptionBudget, NetworkPolicy } = builtinKinds;

/** The Kubernetes kinds of an etcd of Steward, besides Secrets. */
export const etcdKinds = { Service, StatefulSet, PodDisruptionBudget, NetworkPolicy } as const;
