import { isIP } from "node:net";
import type { ApiEndpoint, Cluster } from "@butler/api-external";
import { holds, lacks } from "@butler/controller";
import { blocked, type Blocker, type Condition, type ConditionStatement, type ObjectKey } from "@butler/resource";
import { deepEqual, endpointText } from "@butler/std";
import { findInfrastructureKind, type InfrastructureKind } from "./infrastructure-kinds.ts";

/** The endpoint-related state of an infrastructure cluster. */
export interface InfrastructureCluster {
  readonly uid: string | undefined;
  /** Its endpoint; undefined while it has none. */
  readonly endpoint: ApiEndpoint | undefined;
  /** Whether its author declares that Steward manages it instead of its own provider. */
  readonly isOurs: boolean;
  readonly isProvisioned: boolean;
}

/** Sets the API server endpoint on the infrastructure of a Cluster. */
export interface AnnounceEndpoint extends ObjectKey {
  readonly type: "announceEndpoint";
  readonly kind: InfrastructureKind;
  readonly uid: string | undefined;
  readonly endpoint: ApiEndpoint;
  /** Whether to mark it as provisioned as well, because no provider does. */
  readonly isOurs: boolean;
}

export interface InfrastructureInput {
  readonly cluster: Cluster;
  /** The published endpoint; undefined until there is one. */
  readonly endpoint: ApiEndpoint | undefined;
  /** What was found; undefined when it does not exist or was not read. */
  readonly found: InfrastructureCluster | undefined;
  /** The current condition, if it was computed from the current generation. */
  readonly earlier: Condition | undefined;
}

export interface InfrastructureVerdict {
  readonly condition: ConditionStatement;
  readonly effects: readonly AnnounceEndpoint[];
  readonly requeueAfterMs?: number;
}

/** The type of the condition that reports whether the infrastructure has the endpoint. */
export const infrastructureCondition = "InfrastructureClusterPatched";

const patched = "Patched";

/** There is no watch on other providers' objects, so a missing one is polled for. */
const lookSoonMs = 5_000;

/** Poll less often for what only a user can fix. */
const lookLaterMs = 60_000;

/** The infrastructure cluster to read before deciding; undefined when none is needed. */
export function infrastructureToAsk({
  cluster,
  endpoint,
  earlier,
}: Omit<InfrastructureInput, "found">): { readonly kind: InfrastructureKind; readonly key: ObjectKey } | undefined {
  const reference = cluster.spec?.infrastructureRef;
  const kind = reference && findInfrastructureKind(reference);
  if (kind === undefined || kind.endpoint === "none" || endpoint === undefined || wasPatched(earlier)) return undefined;
  return { kind, key: { name: reference?.name ?? "", namespace: cluster.metadata.namespace } };
}

/** Decides whether to set the endpoint on the infrastructure of a Cluster. */
export function judgeInfrastructure(input: InfrastructureInput): InfrastructureVerdict {
  const { cluster, endpoint, found, earlier } = input;
  const reference = cluster.spec?.infrastructureRef;
  if (reference === undefined) return settled("NoInfrastructure", "the Cluster has no infrastructureRef");
  const kind = findInfrastructureKind(reference);
  if (kind === undefined) return waiting(kindIsUnknown(reference.kind));
  if (kind.endpoint === "none") return settled("NotNeeded", `${kind.kind} reads the endpoint from the Cluster`);
  if (endpoint === undefined) return waiting(endpointIsUnknown);
  if (wasPatched(earlier)) return settled(earlier.reason, earlier.message);
  if (found === undefined) return waiting(isMissing(kind, reference.name), lookSoonMs);
  return judgeFound(kind, { ...input, endpoint, found });
}

function judgeFound(
  kind: InfrastructureKind,
  { cluster, endpoint, found }: InfrastructureInput & { endpoint: ApiEndpoint; found: InfrastructureCluster },
): InfrastructureVerdict {
  const { namespace } = cluster.metadata;
  const { name = "" } = cluster.spec?.infrastructureRef ?? {};
  const { uid, isOurs, endpoint: has } = found;
  if (has !== undefined && !deepEqual(has, endpoint)) {
    return waiting(endpointDiffers(kind, { name, has, endpoint }), lookLaterMs);
  }
  const isComplete = has !== undefined && (!isOurs || found.isProvisioned);
  if (isComplete) return settled(patched, `endpoint set on ${kind.kind} ${name}`);
  const blocker = has === undefined ? whyNotWritable(kind, { name, endpoint }) : undefined;
  if (blocker !== undefined) return waiting(blocker, lookLaterMs);
  return {
    condition: lacks(infrastructureCondition, "Patching", `setting the endpoint on ${kind.kind} ${name}`),
    effects: [{ type: "announceEndpoint", kind, name, namespace, uid, endpoint, isOurs }],
  };
}

function whyNotWritable(
  kind: InfrastructureKind,
  { name, endpoint }: { readonly name: string; readonly endpoint: ApiEndpoint },
): Blocker | undefined {
  if (kind.endpoint === "check") return endpointIsForItsAuthor(kind, name);
  const needsIP = kind.form === "apiServerFixedIP" && isIP(endpoint.host) === 0;
  return needsIP ? needsAddress(kind, endpoint) : undefined;
}

/** An endpoint is written once: the infrastructure is not read again for the same generation. */
function wasPatched(earlier: Condition | undefined): earlier is Condition {
  return earlier?.status === "True" && earlier.reason === patched;
}

function settled(reason: string, message: string): InfrastructureVerdict {
  return { condition: holds(infrastructureCondition, reason, message), effects: [] };
}

function waiting(blocker: Blocker, requeueAfterMs?: number): InfrastructureVerdict {
  const condition = blocked(infrastructureCondition, blocker);
  return { condition, effects: [], ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }) };
}

const endpointIsUnknown: Blocker = {
  reason: "WaitingForEndpoint",
  message: "waiting for the API server before publishing the endpoint",
};

function kindIsUnknown(kind: string): Blocker {
  return {
    reason: "UnsupportedInfrastructure",
    message: `Steward cannot set the endpoint on a ${kind}; if its provider needs it, set it manually to the value of spec.controlPlaneEndpoint`,
  };
}

function isMissing(kind: InfrastructureKind, name: string): Blocker {
  return { reason: "WaitingForInfrastructure", message: `waiting for ${kind.kind} ${name} to be created` };
}

function endpointDiffers(
  kind: InfrastructureKind,
  { name, has, endpoint }: { name: string; has: ApiEndpoint; endpoint: ApiEndpoint },
): Blocker {
  return {
    reason: "EndpointDiffers",
    message: `${kind.kind} ${name} has endpoint ${endpointText(has)}, but the API server is at ${endpointText(endpoint)}; Steward does not overwrite an endpoint that is already set`,
  };
}

function endpointIsForItsAuthor(kind: InfrastructureKind, name: string): Blocker {
  return {
    reason: "EndpointMissing",
    message: `${kind.kind} ${name} has no control plane endpoint, and Steward cannot set it on this kind; set it manually to the value of spec.controlPlaneEndpoint`,
  };
}

function needsAddress(kind: InfrastructureKind, { host }: ApiEndpoint): Blocker {
  return {
    reason: "AddressNeeded",
    message: `${kind.kind} requires an IP address, but the API server endpoint is ${host}; set network.serviceAddress to an IP address`,
  };
}
