import { ButlerConfig, Team, TenantCluster, User } from "@butler/api";
import { parseObject } from "@butler/resource";

/** A team with the given spec and the defaults of the API server. */
export function aTeam(spec: Record<string, unknown> = {}, name = "payments"): Team {
  return parseObject(Team, { apiVersion: Team.apiVersion, kind: Team.kind, metadata: { name }, spec });
}

/** The account of a user. */
export function aUser(spec: Record<string, unknown>, name = "ada"): User {
  const metadata = { name };
  return parseObject(User, {
    apiVersion: User.apiVersion,
    kind: User.kind,
    metadata,
    spec: { email: "ada@example.com", ...spec },
  });
}

/** A tenant cluster with the given spec. */
export function aCluster(spec: Record<string, unknown> = {}): TenantCluster {
  const metadata = { name: "shop", namespace: "payments" };
  return parseObject(TenantCluster, { apiVersion: TenantCluster.apiVersion, kind: TenantCluster.kind, metadata, spec });
}

/** The platform's settings. */
export function aConfig(spec: Record<string, unknown>): ButlerConfig {
  const metadata = { name: "butler" };
  return parseObject(ButlerConfig, { apiVersion: ButlerConfig.apiVersion, kind: ButlerConfig.kind, metadata, spec });
}
