import { defaultKubernetesVersion, effectiveMachine, effectiveReplicas, TenantCluster } from "@butler/api";
import { parseQuantity } from "@butler/std";
import type { TeamView } from "../../session/me.ts";
import { type Parts, valueAt, withValueAt } from "./draft.ts";

/** A value that a cluster gets when it leaves the field open, and who decided it. */
export interface Preset {
  readonly value: string;
  /** Such as `environment dev`. */
  readonly from: string;
}

/** The fields that may be left open. */
export type PresetField =
  | "kubernetesVersion"
  | "workers.replicas"
  | "workers.machineTemplate.cpu"
  | "workers.machineTemplate.memory"
  | "workers.machineTemplate.diskSize";

/** What a cluster of a team gets where it leaves something open. */
export type Presets = Readonly<Record<PresetField, Preset>>;

/** As much of a team as decides. */
export type TeamFacts = Pick<TeamView, "name" | "namespace" | "clusterDefaults" | "resourceLimits" | "environments">;

type Defaults = NonNullable<TeamView["clusterDefaults"]>;

/** What is left open is decided by the environment, else by the team, else by the platform, as admission does it. */
export function presetsOf(team: TeamFacts, environment: string): Presets {
  const ofEnvironment = team.environments.find(({ name }) => name === environment)?.clusterDefaults ?? {};
  const ofTeam = team.clusterDefaults ?? {};
  const machine = effectiveMachine(TenantCluster.spec.parse({}).workers.machineTemplate);
  const limits = team.resourceLimits;
  const first = (read: (defaults: Defaults) => string | undefined, limit: string | undefined, platform: string) => {
    const own = read(ofEnvironment);
    if (own !== undefined) return { value: own, from: `environment ${environment}` };
    const teams = read(ofTeam) ?? limit;
    return teams === undefined
      ? { value: platform, from: "the platform" }
      : { value: teams, from: `team ${team.name}` };
  };
  return {
    kubernetesVersion: first(
      ({ kubernetesVersion }) => kubernetesVersion || undefined,
      undefined,
      defaultKubernetesVersion,
    ),
    "workers.replicas": first(
      ({ workerCount }) => someText(workerCount),
      someText(limits?.defaultNodeCount),
      String(effectiveReplicas(undefined)),
    ),
    "workers.machineTemplate.cpu": first(
      ({ workerCPU }) => someText(workerCPU),
      wholeCores(limits?.defaultCPUPerNode),
      String(machine.cpu),
    ),
    "workers.machineTemplate.memory": first(
      ({ workerMemoryGi }) => gibibytes(workerMemoryGi),
      someText(limits?.defaultMemoryPerNode),
      String(machine.memory),
    ),
    "workers.machineTemplate.diskSize": first(
      ({ workerDiskGi }) => gibibytes(workerDiskGi),
      undefined,
      String(machine.diskSize),
    ),
  };
}

/** Add-ons that every new cluster gets without being asked, with who says so. */
export function givenAddons(team: TeamFacts, environment: string): readonly Preset[] {
  const found = team.environments.find(({ name }) => name === environment)?.clusterDefaults?.defaultAddons ?? [];
  const named = [
    ...(team.clusterDefaults?.defaultAddons ?? []).map((value) => ({ value, from: `team ${team.name}` })),
    ...found.map((value) => ({ value, from: `environment ${environment}` })),
  ];
  return named.filter(({ value }, at) => named.findIndex((each) => each.value === value) === at);
}

/** The spec with what it leaves open filled in, for sums. */
export function filledSpec(spec: Parts, presets: Presets): Parts {
  return (Object.keys(presets) as PresetField[]).reduce((filled, field) => {
    if (valueAt(filled, field) !== undefined) return filled;
    const { value } = presets[field];
    const isNumber = field === "workers.replicas" || field === "workers.machineTemplate.cpu";
    return withValueAt(filled, field, isNumber ? Number(value) : value);
  }, spec);
}

/** A number or an amount as text; 0 is how some clients say that nothing is set. */
function someText(amount: number | string | undefined): string | undefined {
  return amount === undefined || amount === 0 || amount === "0" || amount === "" ? undefined : String(amount);
}

function gibibytes(count: number | undefined): string | undefined {
  return count === undefined ? undefined : `${count}Gi`;
}

/** Whole cores, because machines have no others. */
function wholeCores(amount: number | string | undefined): string | undefined {
  const text = someText(amount);
  return text === undefined ? undefined : String((parseQuantity(text) + 999_999_999n) / 1_000_000_000n);
}
