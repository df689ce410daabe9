import type { TenantControlPlane } from "@butler/api";
import type { ApiEndpoint } from "@butler/api-external";
import { type Condition, findCondition, isConditionTrue } from "@butler/resource";
import { withLeadingV } from "./manifests.ts";

/** Pod counts of a control plane. */
export interface ReplicaCounts {
  readonly replicas: number;
  readonly ready: number;
  readonly available: number;
  readonly updated: number;
  readonly unavailable: number;
}

/** The state of a tenant, serving or not, as a condition reports it. */
export type TenantState = Pick<Condition, "reason" | "message">;

/** The state of a TenantControlPlane, in the terms of Cluster API. */
export interface TenantFacts {
  /** Whether the API server is serving now. */
  readonly isServing: boolean;
  /** Whether it is scaled to zero on purpose. */
  readonly isAsleep: boolean;
  /** Whether the tenant contains everything that a worker needs to join. */
  readonly hasJoinResources: boolean;
  readonly endpoint: ApiEndpoint | undefined;
  /** The version that all pods run; the previous one during an upgrade. */
  readonly version: string | undefined;
  /** The version of new pods. */
  readonly nextVersion: string | undefined;
  readonly counts: ReplicaCounts;
  readonly selector: string | undefined;
  /** The reason and message of its state. */
  readonly state: TenantState;
}

/** Phases other than Ready in which the API server serves. */
const servingPhases: readonly string[] = [
  "Ready",
  "Upgrading",
  "WriteLimited",
  "CertificateAuthorityRotating",
  "Migrating",
];

type TenantStatus = NonNullable<TenantControlPlane["status"]>;
type TenantDeployment = NonNullable<NonNullable<TenantStatus["kubernetesResources"]>["deployment"]>;

/** Reads a TenantControlPlane, which may not exist yet. */
export function readTenant(tenant: TenantControlPlane | undefined): TenantFacts {
  const { conditions, kubeadmPhase, controlPlaneEndpoint, kubernetesResources = {} } = tenant?.status ?? {};
  const { version: { version, status: phase = "Provisioning" } = {}, deployment = {} } = kubernetesResources;
  const counts = countsOf(deployment);
  const isServing = servesNow(findCondition(conditions, "Available"), { phase, ready: counts.ready });
  return {
    isServing,
    isAsleep: phase === "Sleeping",
    hasJoinResources: kubeadmPhase?.bootstrapToken?.checksum !== undefined || isConditionTrue(conditions, "Ready"),
    endpoint: parseEndpoint(controlPlaneEndpoint),
    version: version ? withLeadingV(version) : undefined,
    nextVersion: tenant && withLeadingV(tenant.spec.kubernetes.version),
    counts,
    selector: deployment.selector,
    state: stateOf({ tenant, isServing, phase }),
  };
}

/** Falls back to the phase and the pods when there is no explicit status. */
function servesNow(
  available: Condition | undefined,
  { phase, ready }: { readonly phase: string; readonly ready: number },
): boolean {
  if (phase === "Sleeping") return false;
  return available === undefined ? servingPhases.includes(phase) && ready > 0 : available.status === "True";
}

/** A Deployment omits zero counts. */
function countsOf(deployment: TenantDeployment): ReplicaCounts {
  const { replicas = 0, readyReplicas: ready = 0, updatedReplicas: updated = 0 } = deployment;
  const { availableReplicas: available = 0, unavailableReplicas: unavailable = 0 } = deployment;
  return { replicas, ready, available, updated, unavailable };
}

/** Parses `host:port`, without the brackets of an IPv6 address; undefined when it is malformed. */
export function parseEndpoint(text: string | undefined): ApiEndpoint | undefined {
  const match = /^(?:\[(?<address>[^\]]+)\]|(?<host>[^:]+)):(?<port>\d{1,5})$/.exec(text ?? "");
  const { address, host = address, port } = match?.groups ?? {};
  const number = Number(port);
  return host !== undefined && number > 0 && number < 65_536 ? { host, port: number } : undefined;
}

interface HalfEndpoint {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

/** An endpoint that has both its parts; undefined when one is empty, as it is before it is known. */
export function wholeEndpoint({ host, port }: HalfEndpoint = {}): ApiEndpoint | undefined {
  return host && port ? { host, port } : undefined;
}

function stateOf({
  tenant,
  isServing,
  phase,
}: {
  readonly tenant: TenantControlPlane | undefined;
  readonly isServing: boolean;
  readonly phase: string;
}): TenantState {
  if (tenant === undefined)
    return { reason: "Provisioning", message: "waiting for the TenantControlPlane to be created" };
  if (phase === "Sleeping") return { reason: "Sleeping", message: "scaled to 0 replicas" };
  if (isServing) return { reason: "Available", message: "the API server is serving" };
  const said =
    findCondition(tenant.status?.conditions, "Available") ?? findCondition(tenant.status?.conditions, "Ready");
  if (said !== undefined && said.status !== "True") return { reason: said.reason, message: said.message };
  return { reason: phase, message: `the TenantControlPlane is in phase ${phase}` };
}
