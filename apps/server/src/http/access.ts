import { type AccessSubject, impersonatedBy, judgeAccess } from "@butler/access";
import type { TenantCluster } from "@butler/api";
import type { Route } from "@butler/contract";
import type { ApiClient } from "@butler/kube";
import type { SignedIn } from "../ports.ts";
import type { ServerState } from "../state/state.ts";
import { RouteProblem } from "./problem.ts";

/** The subject of a request for the permission check. */
export interface AccessFacts {
  readonly subject: AccessSubject | undefined;
  readonly cluster: TenantCluster | undefined;
  readonly isThere: boolean;
}

/** Input of the permission check: path parameters, and for new clusters the body. */
export interface AccessInput {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The team that a header names, as scripts for the public Butler do. */
  readonly headerTeam: string | undefined;
}

/** Finds the team and cluster of a request, from the state alone. */
export function findSubject(route: Route, input: AccessInput, state: ServerState): AccessFacts {
  const { permission } = route;
  if (permission.kind === "cluster") {
    const cluster = state.clusters.get({
      namespace: textIn(input.params, "namespace"),
      name: textIn(input.params, "name"),
    });
    const team = cluster && state.teamOf(cluster);
    const subject = cluster && team && { team, environment: state.environmentOf(cluster) };
    return { subject, cluster, isThere: cluster !== undefined };
  }
  if (permission.kind !== "team") return { subject: undefined, cluster: undefined, isThere: true };
  if (permission.from === "path") return subjectOf(textIn(input.params, "team"), undefined, state);
  const body = (input.body ?? {}) as Readonly<Record<string, unknown>>;
  const name = typeof body["teamRef"] === "string" ? body["teamRef"] : input.headerTeam;
  // Without a team, no team role applies: only platform administrators are allowed.
  if (name === undefined) return { subject: undefined, cluster: undefined, isThere: true };
  return subjectOf(name, typeof body["environment"] === "string" ? body["environment"] : undefined, state);
}

function subjectOf(name: string, environment: string | undefined, state: ServerState): AccessFacts {
  const team = state.teams.get({ name });
  return { subject: team && { team, environment }, cluster: undefined, isThere: team !== undefined };
}

/** Throws a problem unless the caller is allowed to make the request. */
export function requireAccess(route: Route, caller: SignedIn | undefined, { subject, isThere }: AccessFacts): void {
  const verdict = judgeAccess(route.permission, { caller, subject, isThere });
  if (verdict.isAllowed) return;
  const isUnnamed = route.permission.kind === "team" && isThere && subject === undefined;
  if (isUnnamed && verdict.as !== "UNAUTHENTICATED") {
    throw new RouteProblem("FORBIDDEN", "requires the platform admin role unless the request names a team", {
      hint: "Set teamRef to the team.",
    });
  }
  const { permission } = route;
  const hint = verdict.as === "FORBIDDEN" && permission.kind === "cluster" ? permission.hint : undefined;
  throw new RouteProblem(verdict.as, verdict.message, hint === undefined ? {} : { hint });
}

/** A client that impersonates the user, with the groups of their current roles. */
export function clientOf(
  client: ApiClient,
  caller: SignedIn,
  { state, subject }: { readonly state: ServerState; readonly subject: AccessSubject | undefined },
): ApiClient {
  return client.as(impersonatedBy(caller, state.teams.list(), subject));
}

function textIn(params: Readonly<Record<string, unknown>>, name: string): string {
  const value = params[name];
  return typeof value === "string" ? value : "";
}
