import { builtinKinds } from "@butler/resource";

const { Service, StatefulSet, PodDisruptionBudget, NetworkPolicy } = builtinKinds;

/** The kinds of Kubernetes that an etcd of Steward's consists of, beside Secrets. */
export const etcdKinds = { Service, StatefulSet, PodDisruptionBudget, NetworkPolicy } as const;
