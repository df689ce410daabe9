import {
  type ButlerConfig,
  defaultKubernetesVersion,
  effectiveMachine,
  effectiveReplicas,
  parseKubernetesVersion,
  type Team,
  type TenantCluster,
} from "@butler/api";
import { parseQuantity } from "@butler/std";

/** Where a value comes from. */
export type Origin = "cluster" | "environment" | "team" | "platform";

/** A value and where it comes from. */
export interface Decided<T> {
  readonly value: T;
  readonly from: Origin;
}

/** The sources of presets. */
export interface Presets {
  readonly team: Team | undefined;
  readonly environment: string | undefined;
  readonly config: ButlerConfig | undefined;
}

type Defaults = NonNullable<Team["spec"]["clusterDefaults"]>;
type Machine = TenantCluster["spec"]["workers"]["machineTemplate"];
type Limits = Partial<NonNullable<Team["spec"]["resourceLimits"]>>;

/** Values of the fields that a cluster may leave unset. */
export interface DecidedValues {
  readonly kubernetesVersion: Decided<string>;
  readonly replicas: Decided<number>;
  readonly cpu: Decided<number>;
  readonly memory: Decided<string | number>;
  readonly diskSize: Decided<string | number>;
}

/** The cluster's own value, else its environment's, else its team's, else the platform's. */
export function decideValues({ spec }: Pick<TenantCluster, "spec">, presets: Presets): DecidedValues {
  const { environment, team, limits } = presetsOf(presets);
  const { replicas, machineTemplate: machine } = spec.workers;
  const platform = effectiveMachine({ ...machine, cpu: undefined, memory: undefined, diskSize: undefined });
  const { memory, diskSize } = machine;
  return {
    kubernetesVersion: firstOf(
      [spec.kubernetesVersion, versionIn(environment), versionIn(team)],
      defaultKubernetesVersion,
    ),
    replicas: firstOf(
      [replicas, someOf(environment.workerCount), someOf(team.workerCount) ?? someOf(limits.defaultNodeCount)],
      effectiveReplicas(undefined),
    ),
    cpu: firstOf([machine.cpu, environment.workerCPU, team.workerCPU ?? coresIn(limits)], platform.cpu),
    memory: firstOf(
      [someAmount(memory), gibibytes(environment.workerMemoryGi), gibibytes(team.workerMemoryGi) ?? memoryIn(limits)],
      platform.memory,
    ),
    diskSize: firstOf(
      [someAmount(diskSize), gibibytes(environment.workerDiskGi), gibibytes(team.workerDiskGi)],
      platform.diskSize,
    ),
  };
}

/** Default add-ons of a new cluster: the team's first, then the environment's, without duplicates. */
export function defaultAddonsOf(presets: Presets): readonly Decided<string>[] {
  const { environment, team } = presetsOf(presets);
  const named = [
    ...(team.defaultAddons ?? []).map((value) => ({ value, from: "team" as const })),
    ...(environment.defaultAddons ?? []).map((value) => ({ value, from: "environment" as const })),
  ];
  return named.filter(({ value }, at) => named.findIndex((each) => each.value === value) === at);
}

function presetsOf({ team, environment }: Presets): { environment: Defaults; team: Defaults; limits: Limits } {
  const found = team?.spec.environments?.find(({ name }) => name === environment);
  return {
    environment: found?.clusterDefaults ?? {},
    team: team?.spec.clusterDefaults ?? {},
    limits: team?.spec.resourceLimits ?? {},
  };
}

function firstOf<T>(given: readonly [T | undefined, T | undefined, T | undefined], platform: T): Decided<T> {
  const [own, ofEnvironment, ofTeam] = given;
  if (own !== undefined) return { value: own, from: "cluster" };
  if (ofEnvironment !== undefined) return { value: ofEnvironment, from: "environment" };
  return ofTeam !== undefined ? { value: ofTeam, from: "team" } : { value: platform, from: "platform" };
}

function versionIn({ kubernetesVersion = "" }: Defaults): string | undefined {
  return parseKubernetesVersion(kubernetesVersion)?.text ?? (kubernetesVersion || undefined);
}

/** A number, unless it is 0, which Go clients send for unset fields. */
function someOf(count: number | undefined): number | undefined {
  return count === 0 ? undefined : count;
}

function someAmount(amount: Machine["memory"]): Machine["memory"] {
  return amount === undefined || parseQuantity(amount) === 0n ? undefined : amount;
}

function gibibytes(count: number | undefined): string | undefined {
  return count === undefined ? undefined : `${count}Gi`;
}

/** Whole cores, rounded up, because machines have no fractions. */
function coresIn({ defaultCPUPerNode }: Limits): number | undefined {
  if (defaultCPUPerNode === undefined) return undefined;
  return someOf(Number((parseQuantity(defaultCPUPerNode) + 999_999_999n) / 1_000_000_000n));
}

function memoryIn({ defaultMemoryPerNode }: Limits): Machine["memory"] {
  return someAmount(defaultMemoryPerNode);
}
