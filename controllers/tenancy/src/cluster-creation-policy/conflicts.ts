import type { ClusterCreationPolicy } from "@butler/api";

type Spec = ClusterCreationPolicy["spec"];
type OptionName = keyof Spec["options"];

const optionNames = ["image", "network", "cluster", "storageContainer"] as const satisfies readonly OptionName[];

/** Another policy for the same options of the same clusters, so that it is undefined which one applies. */
export interface PolicyConflict {
  readonly name: string;
  readonly options: readonly OptionName[];
}

/** The target of a policy as text: policies with different targets are ordered by scope. */
export function targetOf({ scope }: Spec): string {
  if (scope.teamAndEnvironment !== undefined) {
    const { teamRef, environmentName } = scope.teamAndEnvironment;
    return `team ${teamRef.name}, environment ${environmentName}`;
  }
  return scope.team === undefined ? "every team" : `team ${scope.team.teamRef.name}`;
}

/** The team that a policy applies to, if any. */
export function teamNameOf({ scope }: Spec): string | undefined {
  return (scope.teamAndEnvironment ?? scope.team)?.teamRef.name;
}

/** The policies that a policy conflicts with, sorted by name. */
export function conflictsOf(policy: ClusterCreationPolicy, others: readonly ClusterCreationPolicy[]): PolicyConflict[] {
  return others
    .filter(({ metadata }) => metadata.name !== policy.metadata.name)
    .filter(({ spec }) => targetOf(spec) === targetOf(policy.spec) && haveCommonProvider(spec, policy.spec))
    .map(({ metadata, spec }) => ({ name: metadata.name, options: commonOptions(spec, policy.spec) }))
    .filter(({ options }) => options.length > 0)
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** An empty list means every provider. */
function haveCommonProvider({ targetProviders: left = [] }: Spec, { targetProviders: right = [] }: Spec): boolean {
  return left.length === 0 || right.length === 0 || left.some((provider) => right.includes(provider));
}

function commonOptions(left: Spec, right: Spec): OptionName[] {
  return optionNames.filter((name) => left.options[name] !== undefined && right.options[name] !== undefined);
}
