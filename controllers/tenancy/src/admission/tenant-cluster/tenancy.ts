import { namespaces, type Team } from "@butler/api";
import { denied } from "@butler/controller";
import type { Denial } from "@butler/kube";
import { isBeingDeleted } from "@butler/resource";
import type { TenantClusterFacts, TenantClusterInput } from "./input.ts";

/** The namespace of a team's clusters. */
export function namespaceOfTeam({ metadata, status }: Team): string {
  return status?.namespace ?? metadata.name;
}

/** The tenancy mode, and the namespace of clusters without a team. Without a ButlerConfig there are no teams. */
export function tenancyOf({ config }: Pick<TenantClusterFacts, "config">): {
  readonly mode: "Enforced" | "Optional" | "Disabled";
  readonly defaultNamespace: string;
} {
  const { multiTenancy, defaultNamespace = namespaces.tenants } = config?.spec ?? {};
  return { mode: multiTenancy?.mode ?? "Disabled", defaultNamespace };
}

/**
 * Whether a cluster is in the right namespace. Validated when it is created and when it gets a team: a change of the
 * mode does not prevent changes to existing clusters.
 */
export function tenancyDenials(input: TenantClusterInput): Denial[] {
  const { cluster, before } = input;
  const [was, is] = [before?.spec.teamRef?.name, cluster.spec.teamRef?.name];
  if (was !== undefined && was !== is) {
    return denied(
      "IMMUTABLE",
      "spec.teamRef",
      `is ${was} and cannot be changed: a cluster cannot move to another team`,
    );
  }
  if (before !== undefined && was === is) return [];
  return is === undefined ? teamlessDenials(input) : memberDenials(input, is);
}

function teamlessDenials({ cluster, facts }: TenantClusterInput): Denial[] {
  const { mode, defaultNamespace } = tenancyOf(facts);
  if (mode === "Enforced") {
    return denied(
      "REQUIRED",
      "spec.teamRef",
      "is required: the tenancy mode is Enforced, so every cluster must belong to a team",
    );
  }
  if (cluster.metadata.namespace === defaultNamespace) return [];
  const message = `must be ${defaultNamespace} for a cluster without a team in tenancy mode ${mode}`;
  return denied("NOT_ALLOWED", "metadata.namespace", message);
}

function memberDenials({ cluster, facts }: TenantClusterInput, name: string): Denial[] {
  const { mode } = tenancyOf(facts);
  const { team } = facts;
  if (mode === "Disabled") {
    return denied(
      "NOT_ALLOWED",
      "spec.teamRef",
      "must not be set: the tenancy mode is Disabled, so teams are not available",
    );
  }
  if (team === undefined) return denied("NOT_FOUND", "spec.teamRef.name", `Team ${name} not found`);
  if (isBeingDeleted(team)) return denied("NOT_ALLOWED", "spec.teamRef.name", `Team ${name} is being deleted`);
  const namespace = namespaceOfTeam(team);
  if (cluster.metadata.namespace !== namespace) {
    return denied("NOT_ALLOWED", "metadata.namespace", `must be ${namespace}, the namespace of team ${name}`);
  }
  if (team.status?.phase === "Ready") return [];
  const phase = team.status?.phase ?? "Pending";
  return denied("NOT_ALLOWED", "spec.teamRef.name", `Team ${name} is not ready (${phase}); retry when it is Ready`);
}
