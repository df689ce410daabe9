import { defaultKubernetesVersion, effectiveMachine, effectiveReplicas, TenantCluster } from "@butler/api";
import { parseQuantity, valueAt } from "@butler/std";
import type { TeamView } from "../../session/me.ts";
import { type Parts, withValueAt } from "./draft.ts";

/** A default value and its source. */
export interface Preset {
  readonly value: string;
  /** Such as `environment dev`. */
  readonly from: string;
}

/** The fields with defaults. */
export type PresetField =
  | "kubernetesVersion"
  | "workers.replicas"
  | "workers.machineTemplate.cpu"
  | "workers.machineTemplate.memory"
  | "workers.machineTemplate.diskSize";

/** Defaults of a cluster of a team. */
export type Presets = Readonly<Record<PresetField, Preset>>;

/** The part of a team that defaults depend on. */
export type TeamFacts = Pick<TeamView, "name" | "namespace" | "clusterDefaults" | "resourceLimits" | "environments">;

type Defaults = NonNullable<TeamView["clusterDefaults"]>;

/** Defaults come from the environment, then the team, then the platform, as in admission. */
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

/** Default add-ons of new clusters, with their source. */
export function givenAddons(team: TeamFacts, environment: string): readonly Preset[] {
  const found = team.environments.find(({ name }) => name === environment)?.clusterDefaults?.defaultAddons ?? [];
  const named = [
    ...(team.clusterDefaults?.defaultAddons ?? []).map((value) => ({ value, from: `team ${team.name}` })),
    ...found.map((value) => ({ value, from: `environment ${environment}` })),
  ];
  return named.filter(({ value }, at) => named.findIndex((each) => each.value === value) === at);
}

/** The spec with defaults filled in, for calculating usage. */
export function filledSpec(spec: Parts, presets: Presets): Parts {
  return (Object.keys(presets) as PresetField[]).reduce((filled, field) => {
    if (valueAt(filled, field) !== undefined) return filled;
    const { value } = presets[field];
    const isNumber = field === "workers.replicas" || field === "workers.machineTemplate.cpu";
    return withValueAt(filled, field, isNumber ? Number(value) : value);
  }, spec);
}

/** A number or quantity as text; some clients send 0 for unset. */
function someText(amount: number | string | undefined): string | undefined {
  return amount === undefined || amount === 0 || amount === "0" || amount === "" ? undefined : String(amount);
}

function gibibytes(count: number | undefined): string | undefined {
  return count === undefined ? undefined : `${count}Gi`;
}

/** Rounded up, because machines have whole cores only. */
function wholeCores(amount: number | string | undefined): string | undefined {
  const text = someText(amount);
  return text === undefined ? undefined : String((parseQuantity(text) + 999_999_999n) / 1_000_000_000n);
}
