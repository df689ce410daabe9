import { TenantAddon, TenantCluster } from "@butler/api";
import { kubeconfigSecretName } from "@butler/api-external";
import { clusterKubeconfigRoute, listClusterEvents, listClusterNodes } from "@butler/contract";
import { listAll, tenantReadLimits } from "@butler/kube";
import { builtinKinds, type DynamicObject, type ObjectKey } from "@butler/resource";
import { isRecord, NotFound } from "@butler/std";
import { isAbout, showEvent, showNode } from "@butler/diagnosis";
import { type Handler, handle } from "../http/handler.ts";
import { type ListShape, pageOf } from "../http/listing.ts";
import { RouteProblem } from "../http/problem.ts";
import { passes } from "../views/object-view.ts";
import type { HandlerContext } from "./handler-context.ts";

type EventEntry = ReturnType<typeof showEvent> & { readonly id: string };

const eventList: ListShape<EventEntry> = {
  id: ({ id }) => id,
  sortBy: {
    last: ({ lastTimestamp = "" }) => lastTimestamp,
    type: ({ type }) => type,
    reason: ({ reason }) => reason,
  },
  text: ({ reason, message, object, source }) => `${reason} ${message} ${object} ${source}`,
};

/** Handlers for the contents of a cluster and its kubeconfig. */
export function clusterDetailHandlers({ state, tenants }: HandlerContext): Handler[] {
  return [
    handle(clusterKubeconfigRoute, async ({ cluster, asPerson, signal, setHeader }) => {
      setHeader("cache-control", "no-store");
      // Impersonated: Kubernetes RBAC decides whether the user gets this Secret.
      const secret = await asPerson.get(builtinKinds.Secret, kubeconfigKey(cluster), signal).catch(notYet);
      const data = secret["data"];
      const value = isRecord(data) ? data["value"] : undefined;
      if (typeof value !== "string") throw notThere();
      return { kubeconfig: Buffer.from(value, "base64").toString() };
    }),
    handle(listClusterNodes, async ({ cluster, signal }) => {
      const client = await tenants.clientFor(kubeconfigKey(cluster), signal);
      const nodes: ReturnType<typeof showNode>[] = [];
      const request = { ...tenantReadLimits, signal };
      for await (const node of listAll(client, builtinKinds.Node, request)) nodes.push(showNode(node));
      nodes.sort((left, right) => (left.name < right.name ? -1 : 1));
      return { nodes, total: nodes.length };
    }),
    handle(listClusterEvents, ({ cluster, query }) => {
      const { name, namespace = "" } = cluster.metadata;
      const ofAddons = new Set(state.addonsOf(cluster).map(({ metadata }) => metadata.name));
      const isOfCluster = (event: DynamicObject): boolean =>
        isAbout(event, TenantCluster.kind, name) ||
        [...ofAddons].some((addon) => isAbout(event, TenantAddon.kind, addon));
      // Everything in the namespace of the cluster's own machines is about the cluster; beside it lie others.
      const inside = cluster.status?.tenantNamespace;
      const found = [
        ...state.eventsIn(namespace).filter(isOfCluster),
        ...(inside === undefined || inside === namespace ? [] : state.eventsIn(inside)),
      ];
      const entries = found
        .map((event) => ({ ...showEvent(event), id: event.metadata.uid ?? event.metadata.name }))
        .filter(({ type }) => passes(query.type, type));
      const { items, ...rest } = pageOf(entries, query, eventList);
      return { events: items.map(({ id: _id, ...event }) => event), ...rest };
    }),
  ];
}

/** The key of the Secret with the admin kubeconfig of a cluster. */
export function kubeconfigKey({ metadata, status }: TenantCluster): ObjectKey {
  const namespace = status?.tenantNamespace;
  if (namespace === undefined) throw notThere();
  return { namespace, name: status?.kubeconfigSecretRef?.name ?? kubeconfigSecretName(metadata.name) };
}

/** The problem for a cluster without a kubeconfig: a conflict, because it is only not ready yet. */
export function notThere(): RouteProblem {
  return new RouteProblem("CONFLICT", "the cluster has no kubeconfig yet", {
    hint: "Retry when its control plane is ready.",
  });
}

function notYet(error: unknown): never {
  throw error instanceof NotFound ? notThere() : error;
}
