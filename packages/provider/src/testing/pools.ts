import { effectiveMachine, mainPoolName } from "@butler/api";
import fc from "fast-check";
import type { ClusterInput, PoolInput } from "../machine-provider.ts";
import { poolsOf } from "../pools.ts";

/** The main pool of a cluster. */
export function mainPool({ cluster }: ClusterInput): PoolInput {
  const [pool] = poolsOf(cluster);
  if (pool === undefined) throw new Error("every cluster has a main pool");
  return pool;
}

const anyText = (maxLength: number) => fc.string({ unit: "binary", maxLength });
const ownKey = fc.stringMatching(/^[a-z]{1,20}\.example\.com\/[a-z]{1,20}$/);
const value = fc.stringMatching(/^[a-z0-9]{0,20}$/);
const labelKey = fc.oneof(
  { weight: 6, arbitrary: ownKey },
  {
    weight: 1,
    arbitrary: fc.constantFrom("node-role.kubernetes.io/gpu", "kubernetes.io/hostname", "topology.kubernetes.io/zone"),
  },
  { weight: 1, arbitrary: anyText(317) },
);
const labelValue = fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: anyText(63) });
const taint = fc.record({
  key: fc.oneof({ weight: 6, arbitrary: ownKey }, { weight: 1, arbitrary: anyText(317).filter((key) => key !== "") }),
  value: fc.option(labelValue, { nil: undefined }),
  effect: fc.constantFrom("NoSchedule", "PreferNoSchedule", "NoExecute"),
});

/** Whole mebibytes, small and large. */
export const mebibytes = (from: number) => fc.integer({ min: from, max: 4 * 1024 * 1024 });

/** The workers of a TenantCluster, with any values that its schema accepts. */
export const anyWorkers = fc.record(
  {
    replicas: fc.integer({ min: 1, max: 100 }),
    machineTemplate: fc.record({
      cpu: fc.integer({ min: 1, max: 512 }),
      memory: mebibytes(512).map((size) => `${size}Mi`),
      diskSize: mebibytes(5 * 1024).map((size) => `${size}Mi`),
    }),
    labels: fc.dictionary(labelKey, labelValue, { maxKeys: 4 }),
    taints: fc.array(taint, { maxLength: 3 }),
  },
  { noNullPrototype: true },
);

/** A pool with machines of a given size. */
export function aPool(size: { cpu: number; memory: string | number; diskSize: string | number }): PoolInput {
  const machine = effectiveMachine({ os: { type: "rocky", version: "9.5" }, ...size });
  return { name: mainPoolName, replicas: 1, machine, labels: {}, taints: [] };
}
