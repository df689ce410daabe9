import { isIP } from "node:net";
import type { ApiEndpoint, Cluster } from "@butler/api-external";
import { holds, lacks } from "@butler/controller";
import type { Condition, ConditionStatement, ObjectKey } from "@butler/resource";
import { deepEqual, endpointText } from "@butler/std";
import { findInfrastructureKind, type InfrastructureKind } from "./infrastructure-kinds.ts";
import type { Trouble } from "./trouble.ts";

/** An infrastructure cluster, as far as its endpoint goes. */
export interface InfrastructureCluster {
  readonly uid: string | undefined;
  /** The endpoint that it has; undefined while it has none. */
  readonly endpoint: ApiEndpoint | undefined;
  /** Whether its author says that Steward, and not its own provider, looks after it. */
  readonly isOurs: boolean;
  readonly isProvisioned: boolean;
}

/** Tells the infrastructure of a Cluster where the API server is. */
export interface AnnounceEndpoint extends ObjectKey {
  readonly type: "announceEndpoint";
  readonly kind: InfrastructureKind;
  readonly uid: string | undefined;
  readonly endpoint: ApiEndpoint;
  /** Whether it is also to be marked as provisioned, because nobody else will. */
  readonly isOurs: boolean;
}

export interface InfrastructureInput {
  readonly cluster: Cluster;
  /** The endpoint that is published; undefined until there is one. */
  readonly endpoint: ApiEndpoint | undefined;
  /** What was found; undefined when it does not exist or there was no need to look. */
  readonly found: InfrastructureCluster | undefined;
  /** The condition as it stands, when it was computed from the present spec. */
  readonly earlier: Condition | undefined;
}

export interface InfrastructureVerdict {
  readonly condition: ConditionStatement;
  readonly effects: readonly AnnounceEndpoint[];
  readonly requeueAfterMs?: number;
}

/** The type of the condition that tells whether the infrastructure knows the endpoint. */
export const infrastructureCondition = "InfrastructureClusterPatched";

const patched = "Patched";

/** No watch tells of changes to other providers' objects, so one that is to come is looked for again and again. */
const lookSoonMs = 5_000;

/** What only a person can put right is looked at less often. */
const lookLaterMs = 60_000;

/** The infrastructure cluster that has to be looked at before deciding; undefined when none has. */
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

/** Decides whether the infrastructure of a Cluster has to be told the endpoint. */
export function judgeInfrastructure(input: InfrastructureInput): InfrastructureVerdict {
  const { cluster, endpoint, found, earlier } = input;
  const reference = cluster.spec?.infrastructureRef;
  if (reference === undefined) return settled("NoInfrastructure", "the Cluster has no infrastructure");
  const kind = findInfrastructureKind(reference);
  if (kind === undefined) return waiting(kindIsUnknown(reference.kind));
  if (kind.endpoint === "none") return settled("NotNeeded", `${kind.kind} takes the endpoint from the Cluster`);
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
  if (isComplete) return settled(patched, `${kind.kind} ${name} has the endpoint`);
  const obstacle = has === undefined ? whyNotWritable(kind, { name, endpoint }) : undefined;
  if (obstacle !== undefined) return waiting(obstacle, lookLaterMs);
  return {
    condition: lacks(infrastructureCondition, "Patching", `${kind.kind} ${name} is being told the endpoint`),
    effects: [{ type: "announceEndpoint", kind, name, namespace, uid, endpoint, isOurs }],
  };
}

function whyNotWritable(
  kind: InfrastructureKind,
  { name, endpoint }: { readonly name: string; readonly endpoint: ApiEndpoint },
): Trouble | undefined {
  if (kind.endpoint === "check") return endpointIsForItsAuthor(kind, name);
  const needsIP = kind.form === "apiServerFixedIP" && isIP(endpoint.host) === 0;
  return needsIP ? needsAddress(kind, endpoint) : undefined;
}

/** An endpoint is written once: what was in order for the present spec is not asked about on every pass. */
function wasPatched(earlier: Condition | undefined): earlier is Condition {
  return earlier?.status === "True" && earlier.reason === patched;
}

function settled(reason: string, message: string): InfrastructureVerdict {
  return { condition: holds(infrastructureCondition, reason, message), effects: [] };
}

function waiting({ reason, message }: Trouble, requeueAfterMs?: number): InfrastructureVerdict {
  const condition = lacks(infrastructureCondition, reason, message);
  return { condition, effects: [], ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }) };
}

const endpointIsUnknown: Trouble = {
  reason: "WaitingForEndpoint",
  message: "the endpoint is not published until the API server answers",
};

function kindIsUnknown(kind: string): Trouble {
  return {
    reason: "UnsupportedInfrastructure",
    message: `Steward does not know how a ${kind} is told the endpoint; where its provider needs it, set it there by hand to what spec.controlPlaneEndpoint says`,
  };
}

function isMissing(kind: InfrastructureKind, name: string): Trouble {
  return { reason: "WaitingForInfrastructure", message: `${kind.kind} ${name} does not exist yet` };
}

function endpointDiffers(
  kind: InfrastructureKind,
  { name, has, endpoint }: { name: string; has: ApiEndpoint; endpoint: ApiEndpoint },
): Trouble {
  return {
    reason: "EndpointDiffers",
    message: `${kind.kind} ${name} says ${endpointText(has)}, the API server is at ${endpointText(endpoint)}; an endpoint that somebody has set is not overwritten`,
  };
}

function endpointIsForItsAuthor(kind: InfrastructureKind, name: string): Trouble {
  return {
    reason: "EndpointMissing",
    message: `${kind.kind} ${name} has no endpoint, and its provider accepts one from its author only; set it to what spec.controlPlaneEndpoint says`,
  };
}

function needsAddress(kind: InfrastructureKind, { host }: ApiEndpoint): Trouble {
  return {
    reason: "AddressNeeded",
    message: `${kind.kind} needs an IP address, and the API server is announced as ${host}; set network.serviceAddress to an address`,
  };
}
