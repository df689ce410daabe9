import { judgeAccess } from "@butler/access";
import { mainPoolName, namespaces, providerKeyOf, TenantCluster } from "@butler/api";
import { decideMove, decideProtection, decideScale, decideUpgrade } from "@butler/cluster-operations";
import {
  createCluster,
  deleteCluster,
  exportCluster,
  getCluster,
  listClusters,
  listKubernetesVersions,
  listTeamClusters,
  moveCluster,
  planCluster,
  protectCluster,
  scaleCluster,
  updateCluster,
  upgradeCluster,
  whyCluster,
} from "@butler/contract";
import { AlreadyExists, type RefusalCause, refusalCauses } from "@butler/kube";
import { keyOf, keyText, parseObject } from "@butler/resource";
import { ButlerError, Forbidden, InvalidInput, isRecord } from "@butler/std";
import { stringify } from "yaml";
import { readFacts, why } from "@butler/diagnosis";
import { cachedJson, type JsonText, Pages } from "../http/answer.ts";
import { type Call, type Handler, handle } from "../http/handler.ts";
import { allOf, type Listed, type ListQuery, pageOf, pageOfOrdered, sortKeyOf } from "../http/listing.ts";
import { OrderedList } from "../http/ordered-list.ts";
import { problemOf, RouteProblem } from "../http/problem.ts";
import { clusterList, listedCluster, type ListedCluster } from "../views/cluster-view.ts";
import { objectView } from "../views/object-view.ts";
import { planChange } from "./cluster-change.ts";
import { exceededLimits, usageView } from "./cluster-plan.ts";
import { isUsableBy } from "./infrastructure.ts";
import { versionsFor } from "./kubernetes-versions.ts";
import { buildNewCluster } from "./new-cluster.ts";
import { operate } from "./operate.ts";
import type { HandlerContext } from "./handler-context.ts";
import { changeObject, createObject, tryObject } from "./writing.ts";

const clusterJson = cachedJson((cluster: TenantCluster) => objectView(cluster));
const pages = new Pages();

interface ClusterFilters {
  readonly namespace?: string | undefined;
  readonly team?: string | undefined;
  readonly environment?: string | undefined;
  readonly phase?: string | undefined;
  readonly provider?: string | undefined;
  readonly version?: string | undefined;
}

/** Handlers for clusters. */
export function clusterHandlers(context: HandlerContext): Handler[] {
  const { state } = context;
  const inOrder = new OrderedList(clusterList);
  state.clusters.addHandler(({ type, object }) => {
    const listed = listedCluster(object);
    return type === "delete" ? inOrder.remove(listed) : inOrder.put(listed);
  });
  return [
    handle(listClusters, ({ caller, query, request }) => {
      const header = request.headers["x-butler-team"];
      const team = query.team ?? (typeof header === "string" && header !== "" ? header : undefined);
      const asked = { ...query, team };
      const teams = state.visibleTeams(caller);
      if (team !== undefined) {
        return listPage(teams === undefined || teams.has(team) ? state.clustersOf(team) : [], asked);
      }
      return teams === undefined ? listAll(inOrder, asked) : listPage(state.visibleClusters(caller), asked);
    }),
    handle(listTeamClusters, ({ params, query }) => listPage(state.clustersOf(params.team), query)),
    handle(getCluster, ({ cluster }) => objectView(cluster)),
    handle(whyCluster, async ({ cluster, asPerson, signal }) => {
      // Impersonated: the diagnosis uses only what the user may read.
      const source = { client: asPerson, transport: asPerson.transport, signal };
      const facts = await readFacts(source, cluster, context.clock.now());
      return { ...why(facts), unreadable: [...facts.unreadable] };
    }),
    handle(exportCluster, (call) => exported(call)),
    handle(createCluster, async (call) => {
      const cluster = wanted(context, call);
      call.note({ ...keyOf(cluster) });
      return objectView(await createObject(writing(context, call), TenantCluster, cluster));
    }),
    handle(planCluster, (call) => plan(context, call)),
    handle(updateCluster, async (call) => {
      const { cluster, body } = call;
      requireUsableProvider(context, body.spec?.["providerConfigRef"], call);
      const patch = planChange(cluster, body);
      if (patch === undefined) return objectView(cluster);
      const change = { key: keyOf(cluster), patch, resourceVersion: body.resourceVersion };
      return objectView(await changeObject(writing(context, call), TenantCluster, change));
    }),
    handle(scaleCluster, (call) => {
      const { replicas: workers, pool = mainPoolName } = call.body;
      return operate(context, call, (cluster) => decideScale(cluster, { pool, workers }));
    }),
    handle(upgradeCluster, (call) => operate(context, call, (cluster) => decideUpgrade(cluster, call.body.version))),
    handle(moveCluster, (call) => {
      requireRoleThere(call, call.body.environment);
      return operate(context, call, (cluster) => decideMove(cluster, { to: call.body.environment || undefined }));
    }),
    handle(protectCluster, (call) => operate(context, call, (cluster) => decideProtection(cluster, call.body.enabled))),
    handle(listKubernetesVersions, ({ caller, query: { team: name } }) => {
      if (name === undefined) return versionsFor(undefined);
      const team = state.visibleTeams(caller)?.has(name) === false ? undefined : state.teams.get({ name });
      if (team === undefined) throw new RouteProblem("NOT_FOUND", `team ${name} not found`);
      return versionsFor(team);
    }),
    handle(deleteCluster, async ({ cluster, asPerson, signal }) => {
      const { uid } = cluster.metadata;
      // By uid: a new cluster of the same name must not be deleted.
      await asPerson.delete(TenantCluster, keyOf(cluster), { uid, signal });
      return { message: `${keyText(keyOf(cluster))} is being deleted` };
    }),
  ];
}

function listPage(clusters: readonly TenantCluster[], query: ListQuery & ClusterFilters): JsonText {
  const isWanted = filterOf(query);
  const listed = clusters.map(listedCluster);
  return pageTextOf(pageOf(isWanted === undefined ? listed : listed.filter(isWanted), query, clusterList));
}

/** There can be very many clusters, so their order is cached rather than sorted for every page. */
function listAll(clusters: OrderedList<ListedCluster>, query: ListQuery & ClusterFilters): JsonText {
  const isWanted = filterOf(query);
  return pageTextOf(pageOfOrdered(clusters.by(sortKeyOf(query)), query, { shape: clusterList, isWanted }));
}

function pageTextOf({ items, ...rest }: Listed<ListedCluster>): JsonText {
  return pages.page(
    "clusters",
    items.map(({ cluster }) => clusterJson(cluster)),
    rest,
  );
}

const filters = {
  namespace: (value) => (cluster) => cluster.namespace === value,
  team: (value) => (cluster) => cluster.team === value,
  environment: (value) => (cluster) => cluster.environment === value,
  phase: (value) => (cluster) => cluster.phase === value,
  provider: (value) => (cluster) => cluster.provider === value,
  version: (value) => (cluster) => cluster.version === value,
} as const satisfies Record<keyof ClusterFilters, (value: string) => (cluster: ListedCluster) => boolean>;

/** A predicate for the filters; undefined if there are none. */
function filterOf(query: ClusterFilters): ((cluster: ListedCluster) => boolean) | undefined {
  const names = Object.keys(filters) as (keyof ClusterFilters)[];
  const tests = names.flatMap((name) => (query[name] === undefined ? [] : [filters[name](query[name])]));
  return allOf(tests);
}

type ClusterCall = Pick<Call<typeof getCluster>, "cluster" | "asPerson" | "signal">;

function writing({ state }: HandlerContext, { asPerson, signal }: Pick<ClusterCall, "asPerson" | "signal">) {
  return { client: asPerson, state, signal };
}

/** Permission in the current environment does not imply permission in the target environment. */
function requireRoleThere({ caller, subject }: Pick<Call<typeof moveCluster>, "caller" | "subject">, to: string): void {
  const { permission } = moveCluster;
  const there = subject && { team: subject.team, environment: to === "" ? undefined : to };
  if (judgeAccess(permission, { caller, subject: there, isThere: true }).isAllowed) return;
  const place = to === "" ? "in the whole team" : `in environment ${to}`;
  throw new RouteProblem("FORBIDDEN", `requires the operator role ${place}`, {
    hint: "Ask a team admin to move the cluster.",
  });
}

type NewClusterCall = Pick<
  Call<typeof createCluster>,
  "body" | "subject" | "caller" | "asPerson" | "signal" | "requestId"
>;

function wanted(context: HandlerContext, { body, subject, caller }: NewClusterCall) {
  const { config } = context.state;
  const cluster = buildNewCluster(body, { team: subject?.team, config, creator: caller.person.email });
  requireUsableProvider(context, cluster.spec.providerConfigRef, { caller, subject });
  return cluster;
}

/** Providers of other teams cannot be used; they are reported as not found. */
function requireUsableProvider(
  { state }: HandlerContext,
  reference: unknown,
  { caller, subject }: Pick<NewClusterCall, "caller" | "subject">,
): void {
  if (!isRecord(reference) || caller.platformRole === "admin") return;
  const { name, namespace = namespaces.system } = reference;
  if (typeof name !== "string" || typeof namespace !== "string") return;
  const provider = state.providers.get({ name, namespace });
  const own = new Set(subject === undefined ? [] : [subject.team.metadata.name]);
  if (provider === undefined || isUsableBy(provider, own)) return;
  const message = `provider ${namespace}/${name} not found or not available to the team`;
  const causes = [{ field: "providerConfigRef", reason: "NOT_FOUND", message }];
  throw new RouteProblem("INVALID", message, { causes });
}

/** Creates the cluster as a server-side dry run, so that defaults, admission and limits apply. */
async function plan(context: HandlerContext, call: NewClusterCall) {
  const { state } = context;
  const asked = wanted(context, call);
  const { team } = call.subject ?? {};
  const { cluster, refusals } = await tried(call, asked);
  const key = cluster && providerKeyOf(cluster, { team, config: state.config });
  const facts = {
    team,
    config: state.config,
    provider: key && state.providers.get(key),
    others: team === undefined ? [] : state.clustersOf(team.metadata.name),
  };
  const exceeded = cluster === undefined ? [] : exceededLimits(cluster, facts);
  return {
    isAccepted: refusals.length === 0,
    ...(cluster === undefined ? {} : { cluster: objectView(cluster), usage: usageView(cluster, state.config) }),
    refusals: [...refusals],
    exceeded,
  };
}

async function tried(
  call: NewClusterCall,
  asked: ReturnType<typeof buildNewCluster>,
): Promise<{ cluster: TenantCluster | undefined; refusals: readonly RefusalCause[] }> {
  try {
    return {
      cluster: await tryObject({ client: call.asPerson, signal: call.signal }, TenantCluster, asked),
      refusals: [],
    };
  } catch (error) {
    const isRefusal = error instanceof InvalidInput || error instanceof Forbidden || error instanceof AlreadyExists;
    if (!isRefusal || !(error instanceof ButlerError)) throw error;
    const causes = refusalCauses(error);
    const { code, detail } = problemOf(error, call.requestId);
    const refusals = causes.length > 0 ? causes : [{ field: "", reason: code, message: detail }];
    return { cluster: withOwnDefaults(asked), refusals };
  }
}

function withOwnDefaults(asked: unknown): TenantCluster | undefined {
  try {
    return parseObject(TenantCluster, asked);
  } catch {
    // Schema violations were reported already.
    return undefined;
  }
}

/** A manifest to recreate the cluster, without server-set fields. */
function exported({ cluster, setHeader }: Pick<Call<typeof exportCluster>, "cluster" | "setHeader">): string {
  const { apiVersion, kind, metadata, spec } = objectView(cluster);
  const { name, namespace, labels: own, annotations } = metadata;
  // The name is a valid Kubernetes name, so it cannot inject into the header.
  setHeader("content-disposition", `attachment; filename="${name}.yaml"`);
  return stringify({
    apiVersion,
    kind,
    metadata: { name, namespace, ...(own && { labels: own }), ...(annotations && { annotations }) },
    spec,
  });
}
