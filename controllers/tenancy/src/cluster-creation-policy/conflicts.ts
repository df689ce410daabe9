import type { ClusterCreationPolicy } from "@butler/api";

type Spec = ClusterCreationPolicy["spec"];
type OptionName = keyof Spec["options"];

const optionNames = ["image", "network", "cluster", "storageContainer"] as const satisfies readonly OptionName[];

/** Another policy that speaks about the same choices of the same clusters, so that nobody could tell which decides. */
export interface PolicyConflict {
  readonly name: string;
  readonly options: readonly OptionName[];
}

/** Whose clusters a policy is for, as text: policies with another text are told apart by how narrow they are. */
export function targetOf({ scope }: Spec): string {
  if (scope.teamAndEnvironment !== undefined) {
    const { teamRef, environmentName } = scope.teamAndEnvironment;
    return `team ${teamRef.name}, environment ${environmentName}`;
  }
  return scope.team === undefined ? "every team" : `team ${scope.team.teamRef.name}`;
}

/** The team that a policy is for, if it is for one. */
export function teamNameOf({ scope }: Spec): string | undefined {
  return (scope.teamAndEnvironment ?? scope.team)?.teamRef.name;
}

/** The policies that a policy is in conflict with, in order. */
export function conflictsOf(policy: ClusterCreationPolicy, others: readonly ClusterCreationPolicy[]): PolicyConflict[] {
  return others
    .filter(({ metadata }) => metadata.name !== policy.metadata.name)
    .filter(({ spec }) => targetOf(spec) === targetOf(policy.spec) && haveCommonProvider(spec, policy.spec))
    .map(({ metadata, spec }) => ({ name: metadata.name, options: commonOptions(spec, policy.spec) }))
    .filter(({ options }) => options.length > 0)
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** An empty list is every provider. */
function haveCommonProvider({ targetProviders: left = [] }: Spec, { targetProviders: right = [] }: Spec): boolean {
  return left.length === 0 || right.length === 0 || left.some((provider) => right.includes(provider));
}

function commonOptions(left: Spec, right: Spec): OptionName[] {
  return optionNames.filter((name) => left.options[name] !== undefined && right.options[name] !== undefined);
}
