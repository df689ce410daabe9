import { IPAllocation, NetworkPool, type ProviderConfig } from "@butler/api";
import {
  createNetwork,
  deleteAllocation,
  deleteNetwork,
  getNetwork,
  getProvider,
  listAllAllocations,
  listAllocations,
  listClusterAddresses,
  listNetworks,
  listProviders,
  listTeamProviders,
  updateNetwork,
} from "@butler/contract";
import { keyOf, keyText } from "@butler/resource";
import { type Handler, handle } from "../http/handler.ts";
import { type ListQuery, type ListShape, pageOf } from "../http/listing.ts";
import { RouteProblem } from "../http/problem.ts";
import { byObject, objectView, passes, searchText } from "../views/object-view.ts";
import { teamIn } from "./teams.ts";
import type { HandlerContext } from "./handler-context.ts";
import { changeObject, createObject, replacement } from "./writing.ts";

const providerList: ListShape<ProviderConfig> = {
  id: byObject.id,
  sortBy: { name: byObject.name, created: byObject.created, type: ({ spec }) => spec.provider },
  text: (provider) => searchText(provider, provider.spec.provider, provider.spec.scope?.teamRef?.name),
};

const poolList: ListShape<NetworkPool> = {
  id: byObject.id,
  sortBy: { name: byObject.name, created: byObject.created, available: ({ status }) => status?.availableIPs ?? 0 },
  text: (pool) => searchText(pool, pool.spec.cidr),
};

const allocationList: ListShape<IPAllocation> = {
  id: byObject.id,
  sortBy: { name: byObject.name, created: byObject.created, cluster: ({ spec }) => spec.tenantClusterRef.name },
  text: (allocation) =>
    searchText(
      allocation,
      allocation.spec.poolRef.name,
      allocation.spec.tenantClusterRef.name,
      allocation.status?.startAddress,
    ),
};

/** Providers and networks. */
export function infrastructureHandlers(context: HandlerContext): Handler[] {
  return [...providerHandlers(context), ...networkHandlers(context), ...allocationHandlers(context)];
}

type ProviderQuery = ListQuery & { readonly type?: string | undefined; readonly ready?: boolean | undefined };

function providerPage(providers: readonly ProviderConfig[], query: ProviderQuery) {
  const found = providers.filter(({ spec, status }) => {
    const isReady = status?.ready ?? false;
    return passes(query.type, spec.provider) && (query.ready ?? isReady) === isReady;
  });
  const { items, ...rest } = pageOf(found, query, providerList);
  return { providers: items.map(objectView), ...rest };
}

/** Whether a team can use a provider: a platform provider, or the team's own. */
export function isUsableBy({ spec }: ProviderConfig, teams: ReadonlySet<string> | undefined): boolean {
  return teams === undefined || spec.scope?.type !== "team" || teams.has(spec.scope.teamRef?.name ?? "");
}

function providerHandlers({ state }: HandlerContext): Handler[] {
  return [
    handle(listProviders, ({ caller, query }) => {
      const teams = state.visibleTeams(caller);
      return providerPage(
        state.providers.list().filter((provider) => isUsableBy(provider, teams)),
        query,
      );
    }),
    handle(getProvider, ({ caller, params }) => {
      const found = state.providers.get(params);
      // Providers of other teams are not found.
      if (found !== undefined && isUsableBy(found, state.visibleTeams(caller))) return objectView(found);
      throw new RouteProblem("NOT_FOUND", `provider ${params.namespace}/${params.name} not found`);
    }),
    handle(listTeamProviders, (call) => {
      const team = new Set([teamIn(call).metadata.name]);
      return providerPage(
        state.providers.list().filter((provider) => isUsableBy(provider, team)),
        call.query,
      );
    }),
  ];
}

function networkHandlers({ state }: HandlerContext): Handler[] {
  const find = (params: { readonly namespace: string; readonly name: string }): NetworkPool => {
    const pool = state.pools.get(params);
    if (pool !== undefined) return pool;
    throw new RouteProblem("NOT_FOUND", `network pool ${params.namespace}/${params.name} not found`);
  };
  return [
    handle(listNetworks, ({ query }) => {
      const { items, ...rest } = pageOf(state.pools.list(), query, poolList);
      return { pools: items.map(objectView), ...rest };
    }),
    handle(getNetwork, ({ params }) => objectView(find(params))),
    handle(createNetwork, async ({ body, asPerson, signal, note }) => {
      const { name, namespace, ...spec } = body;
      note({ name, namespace });
      const { apiVersion, kind } = NetworkPool;
      const pool = { apiVersion, kind, metadata: { name, namespace }, spec };
      return objectView(await createObject({ client: asPerson, state, signal }, NetworkPool, pool));
    }),
    handle(updateNetwork, async ({ params, body, asPerson, signal }) => {
      const pool = find(params);
      const { resourceVersion, ...fields } = body;
      const wanted = { ...fields, tenantAllocation: replacement(pool.spec.tenantAllocation, fields.tenantAllocation) };
      const spec = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      const change = { key: keyOf(pool), patch: { spec }, resourceVersion };
      return objectView(await changeObject({ client: asPerson, state, signal }, NetworkPool, change));
    }),
    handle(deleteNetwork, async ({ params, asPerson, signal }) => {
      const pool = find(params);
      await asPerson.delete(NetworkPool, keyOf(pool), { uid: pool.metadata.uid, signal });
      return { message: `${params.namespace}/${params.name} will be deleted when its addresses are no longer in use` };
    }),
  ];
}

type AllocationQuery = ListQuery & {
  readonly phase?: string | undefined;
  readonly type?: string | undefined;
  readonly cluster?: string | undefined;
};

function allocationPage(allocations: readonly IPAllocation[], query: AllocationQuery) {
  const found = allocations.filter(
    ({ spec, status }) =>
      passes(query.phase, status?.phase) &&
      passes(query.type, spec.type) &&
      passes(query.cluster, spec.tenantClusterRef.name),
  );
  const { items, ...rest } = pageOf(found, query, allocationList);
  return { allocations: items.map(objectView), ...rest };
}

function allocationHandlers({ state }: HandlerContext): Handler[] {
  return [
    handle(listAllocations, ({ params, query }) => allocationPage(state.allocationsOf(params), query)),
    handle(listAllAllocations, ({ query }) => allocationPage(state.allocations.list(), query)),
    handle(listClusterAddresses, ({ cluster, query }) => allocationPage(state.allocationsFor(cluster), query)),
    handle(deleteAllocation, async ({ params, query, asPerson, signal }) => {
      const name = keyText(params);
      const allocation = state.allocations.get(params);
      if (allocation === undefined) throw new RouteProblem("NOT_FOUND", `allocation ${name} not found`);
      const cluster = allocation.spec.tenantClusterRef;
      if (query.force !== true && state.clusters.get(cluster) !== undefined) {
        throw new RouteProblem("CONFLICT", `cannot release ${name}: cluster ${keyText(cluster)} still exists`, {
          hint: "Delete the cluster first, or send force=true if the addresses are not in use.",
        });
      }
      await asPerson.delete(IPAllocation, keyOf(allocation), { uid: allocation.metadata.uid, signal });
      return { message: `the addresses of ${name} are being released` };
    }),
  ];
}
