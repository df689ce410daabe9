import { builtinKinds, type DynamicObject, type Kind } from "@butler/resource";
import { type Clock, Forbidden, isRecord, NotFound, systemClock } from "@butler/std";
import { listAll } from "./bounded-reads.ts";
import type { KubeClient } from "./client.ts";

/** Networks of Services; served by Kubernetes 1.33 and newer. */
const serviceCidr: Kind = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "ServiceCIDR",
  plural: "servicecidrs",
  scope: "Cluster",
};

/** The rule that reading these networks requires. */
export const clusterNetworkRules = [
  { apiGroups: [""], resources: ["nodes"], verbs: ["list"] },
  { apiGroups: [serviceCidr.group], resources: [serviceCidr.plural], verbs: ["list"] },
] as const;

/** Options of the networks of a cluster. */
export interface ClusterNetworksOptions {
  readonly client: Pick<KubeClient, "list">;
  /** Networks that the cluster does not tell, such as pods of a CNI with its own address management. */
  readonly known?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
  readonly freshMs?: number | undefined;
}

/**
 * The networks of pods and Services of a cluster: those that its nodes and its ServiceCIDRs tell, and those that the
 * operator has set. New nodes count within a minute.
 */
export function clusterNetworks(options: ClusterNetworksOptions): () => Promise<readonly string[]> {
  const { client, known = [], clock = systemClock, freshMs = 60_000 } = options;
  let reading: Promise<readonly string[]> | undefined;
  let untilMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (reading === undefined || clock.monotonicMs() >= untilMs) {
      untilMs = clock.monotonicMs() + freshMs;
      const before = reading;
      reading = readNetworks(client).catch(async (error: unknown) => {
        // Read again soon; until then the last known networks count, and without any nothing may be connected to.
        untilMs = Number.NEGATIVE_INFINITY;
        if (before === undefined) throw error;
        return before;
      });
    }
    return [...known, ...(await reading)];
  };
}

async function readNetworks(client: Pick<KubeClient, "list">): Promise<readonly string[]> {
  const [nodes, services] = await Promise.all([listed(client, builtinKinds.Node), listed(client, serviceCidr)]);
  const own = process.env["KUBERNETES_SERVICE_HOST"] ?? "";
  return [
    ...nodes.flatMap(({ spec }) => textsIn(spec, "podCIDRs")),
    ...services.flatMap(({ spec }) => textsIn(spec, "cidrs")),
    ...(own === "" ? [] : [own]),
  ];
}

/** All objects of a kind; none if the cluster does not serve it, or does not let this process read it. */
async function listed(client: Pick<KubeClient, "list">, kind: Kind): Promise<readonly DynamicObject[]> {
  const found: DynamicObject[] = [];
  try {
    for await (const object of listAll(client, kind)) found.push(object);
  } catch (error) {
    if (!(error instanceof NotFound) && !(error instanceof Forbidden)) throw error;
  }
  return found;
}

function textsIn(spec: unknown, name: string): string[] {
  const list = isRecord(spec) ? spec[name] : undefined;
  return Array.isArray(list) ? list.filter((entry): entry is string => typeof entry === "string") : [];
}
