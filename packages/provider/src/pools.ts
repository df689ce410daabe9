import { effectiveMachine, effectiveReplicas, mainPoolName, type TenantCluster } from "@butler/api";
import type { PoolInput } from "./machine-provider.ts";

/** Every pool of worker machines with all fields set, the main one first. */
export function poolsOf({ spec }: TenantCluster): PoolInput[] {
  const { workers, workerPools = [] } = spec;
  const main = effectiveMachine(workers.machineTemplate);
  return [
    pool(mainPoolName, effectiveReplicas(workers.replicas), { ...workers, machine: main }),
    ...workerPools.map(({ name, replicas, machineTemplate, ...rest }) =>
      pool(name, replicas, { ...rest, machine: effectiveMachine(machineTemplate, main) }),
    ),
  ];
}

interface PoolParts {
  readonly machine: PoolInput["machine"];
  readonly labels?: PoolInput["labels"] | undefined;
  readonly taints?: PoolInput["taints"] | undefined;
}

function pool(name: string, replicas: number, { machine, labels = {}, taints = [] }: PoolParts): PoolInput {
  return { name, replicas, machine, labels, taints };
}
