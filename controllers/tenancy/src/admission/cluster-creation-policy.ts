import { ClusterCreationPolicy, Team } from "@butler/api";
import { denied } from "@butler/controller";
import { admissionHandler, type AdmissionRequest, type Denial, type KubeClient, listAll } from "@butler/kube";
import { deepEqual } from "@butler/std";
import { conflictsOf, teamNameOf } from "../cluster-creation-policy/conflicts.ts";

/** The input for validating a policy. */
export interface PolicyInput {
  readonly policy: ClusterCreationPolicy;
  readonly before: ClusterCreationPolicy | undefined;
  /** The team that the policy applies to; undefined when it applies to none or the team does not exist. */
  readonly team: Team | undefined;
  /** All policies. */
  readonly policies: readonly ClusterCreationPolicy[];
}

/** Every reason to reject a policy or a change to it. */
export function decideClusterCreationPolicy(input: PolicyInput): Denial[] {
  const { policy, before } = input;
  if (before !== undefined && deepEqual(before.spec, policy.spec)) return [];
  return [...scopeDenials(input), ...optionDenials(policy), ...conflictDenials(input)];
}

function scopeDenials({ policy, team }: PolicyInput): Denial[] {
  const { scope } = policy.spec;
  const chosen = [scope.clusterWide, scope.team, scope.teamAndEnvironment].filter((each) => each !== undefined);
  if (chosen.length !== 1) {
    return denied("INVALID", "spec.scope", "must set exactly one of clusterWide, team or teamAndEnvironment");
  }
  const name = teamNameOf(policy.spec);
  if (name === undefined) return [];
  const path = `spec.scope.${scope.team === undefined ? "teamAndEnvironment" : "team"}`;
  if (team === undefined) return denied("NOT_FOUND", `${path}.teamRef.name`, `Team ${name} not found`);
  const environment = scope.teamAndEnvironment?.environmentName;
  const isThere = team.spec.environments?.some((each) => each.name === environment) ?? false;
  if (environment === undefined || isThere) return [];
  return denied("NOT_FOUND", `${path}.environmentName`, `team ${name} has no environment ${environment}`);
}

type Option = NonNullable<ClusterCreationPolicy["spec"]["options"]["image"]>;

function optionDenials({ spec }: ClusterCreationPolicy): Denial[] {
  return Object.entries(spec.options).flatMap(([name, option]) => {
    const fault = option && optionFault(option);
    return fault === undefined ? [] : denied("INVALID", `spec.options.${name}`, fault);
  });
}

function optionFault({ mode, values = [], default: preselected = "" }: Option): string | undefined {
  if (mode === "pin" && values.length !== 1) return `mode pin requires exactly one value, got ${values.length}`;
  const isList = mode === "allowList" || mode === "recommended";
  if (isList && values.length === 0) return `mode ${mode} requires at least one value`;
  return mode === "default" && preselected === "" ? "mode default requires the ID of the default option" : undefined;
}

/** With two policies for the same option of the same clusters, it would be undefined which one applies. */
function conflictDenials({ policy, policies }: PolicyInput): Denial[] {
  return conflictsOf(policy, policies).flatMap(({ name: other, options }) => {
    const rule = `ClusterCreationPolicy ${other} has a rule for the same clusters and providers`;
    return options.flatMap((name) =>
      denied("DUPLICATE", `spec.options.${name}`, `${rule}; change that policy instead`),
    );
  });
}

/** Validates policies on create and update. */
export function clusterCreationPolicyAdmission(client: Pick<KubeClient, "find" | "list">) {
  return admissionHandler(ClusterCreationPolicy, { validate: (request, signal) => judge(request, client, signal) });
}

async function judge(
  { operation, object: policy, oldObject: before }: AdmissionRequest<ClusterCreationPolicy>,
  client: Pick<KubeClient, "find" | "list">,
  signal: AbortSignal,
): Promise<Denial[]> {
  if (operation === "DELETE" || policy === undefined) return [];
  const name = teamNameOf(policy.spec);
  const team = name === undefined ? undefined : await client.find(Team, { name }, signal);
  const policies: ClusterCreationPolicy[] = [];
  for await (const each of listAll(client, ClusterCreationPolicy, { signal })) policies.push(each);
  return decideClusterCreationPolicy({ policy, before, team, policies });
}
