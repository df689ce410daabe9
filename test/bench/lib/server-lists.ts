import { labels } from "@butler/api";
import { type FleetSize, teamName } from "./server-fleet.ts";
import { type Answer, type Ask, Load, type LoadResult, type LoadTarget, measureLoad } from "./server-load.ts";

/** A list of the server, and the closest equivalent of the API server. */
export interface ListContest {
  readonly name: string;
  readonly ours: Ask;
  readonly baseline: Ask;
}

/** Result of a comparison. */
export interface ListOutcome {
  readonly name: string;
  readonly connections: number;
  readonly ours: SideOutcome;
  readonly baseline: SideOutcome;
}

/** One side of a comparison. */
export interface SideOutcome extends LoadResult {
  /** CPU time of the server per request. It depends less on the load of the machine than rates do. */
  readonly processorMs: number;
}

const kubernetesPath = "/apis/butler.butlerlabs.dev/v1alpha1/tenantclusters";
/** Bytes at the end of a response that contain the paging fields; a cursor is always shorter. */
const endBytes = 2_048;

/** The measured list requests. Cursors are fetched once, from the lists themselves. */
export async function listContests(
  ours: LoadTarget,
  baseline: LoadTarget,
  { teams, clustersPerTeam }: FleetSize,
): Promise<ListContest[]> {
  const [server, kubernetes] = [new Load(ours, 1), new Load(baseline, 1)];
  const half = (teams * clustersPerTeam) / 2;
  try {
    await requireSameClusters(server, kubernetes);
    const middle = await cursorAfter(server, (cursor) => ourPage(500, cursor), half);
    const middleToken = await cursorAfter(kubernetes, (token) => kubernetesPage(500, token), half);
    const team = teamName(Math.floor(teams / 2));
    const byLabels = (selector: string): string =>
      `${kubernetesPath}?limit=50&labelSelector=${encodeURIComponent(selector)}`;
    return [
      { name: "first 50", ours: once(ourPage(50)), baseline: once(kubernetesPage(50)) },
      { name: "50 in the middle", ours: once(ourPage(50, middle)), baseline: once(kubernetesPage(50, middleToken)) },
      {
        name: "team, phase, environment",
        ours: once(`/api/clusters?limit=50&team=${team}&phase=Ready&environment=prod`),
        baseline: once(byLabels(`${labels.team}=${team},${labels.environment}=prod`)),
      },
      {
        name: "one team, from its namespace",
        ours: once(`/api/clusters?limit=50&team=${team}`),
        baseline: once(`/apis/butler.butlerlabs.dev/v1alpha1/namespaces/${team}/tenantclusters?limit=50`),
      },
      {
        name: "environment of all, searched, newest first",
        ours: once("/api/clusters?limit=50&environment=prod&search=cluster%20ready&sort=-created"),
        baseline: once(byLabels(`${labels.environment}=prod`)),
      },
      {
        name: "all, by pages of 50",
        ours: byPages((cursor) => ourPage(50, cursor)),
        baseline: byPages((token) => kubernetesPage(50, token)),
      },
      {
        name: "all, by pages of 500",
        ours: byPages((cursor) => ourPage(500, cursor)),
        baseline: byPages((token) => kubernetesPage(500, token)),
      },
      {
        name: "all, against all at once",
        ours: byPages((cursor) => ourPage(500, cursor)),
        baseline: once(kubernetesPath),
      },
    ];
  } finally {
    await Promise.all([server.close(), kubernetes.close()]);
  }
}

/** Clients of both sides, and how their CPU time is read. */
export interface ContestOptions {
  readonly targets: { readonly ours: LoadTarget; readonly baseline: LoadTarget };
  readonly connections: number;
  readonly seconds: number;
  readonly processorSeconds: { readonly ours: () => Promise<number>; readonly baseline: () => Promise<number> };
}

/** Measures both sides in turn, so that neither takes CPU time from the other. */
export async function measureContest(
  { name, ours, baseline }: ListContest,
  { targets, connections, seconds, processorSeconds }: ContestOptions,
): Promise<ListOutcome> {
  const measure = async (side: "ours" | "baseline", ask: Ask): Promise<SideOutcome> => {
    const before = await processorSeconds[side]();
    const result = await measureLoad(targets[side], ask, { connections, seconds });
    const used = (await processorSeconds[side]()) - before;
    return { ...result, processorMs: (used * 1_000) / result.asked };
  };
  return { name, connections, ours: await measure("ours", ours), baseline: await measure("baseline", baseline) };
}

function ourPage(limit: number, cursor?: string): string {
  return `/api/clusters?limit=${limit}${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
}

function kubernetesPage(limit: number, token?: string): string {
  return `${kubernetesPath}?limit=${limit}${token === undefined ? "" : `&continue=${encodeURIComponent(token)}`}`;
}

function once(path: string): Ask {
  return async (load) => (await load.get(path)).bytes;
}

function byPages(pathOf: (cursor?: string) => string): Ask {
  return async (load) => {
    let bytes = 0;
    let cursor: string | undefined;
    do {
      const answer = await load.get(pathOf(cursor));
      bytes += answer.bytes;
      cursor = nextOf(answer);
    } while (cursor !== undefined);
    return bytes;
  };
}

async function cursorAfter(load: Load, pathOf: (cursor?: string) => string, entries: number): Promise<string> {
  let cursor: string | undefined;
  for (let got = 0; got < entries; got += 500) cursor = nextOf(await load.get(pathOf(cursor)));
  if (cursor === undefined) throw new Error("the list ends before its middle");
  return cursor;
}

/** Position of the next page: both return it after the entries. */
function nextOf({ chunks }: Answer): string | undefined {
  const tail = [chunks.at(-2), chunks.at(-1)].map((chunk) => chunk?.subarray(-endBytes).toString("latin1")).join("");
  return /"(?:nextCursor|continue)":"([^"]+)"[^[\]]*$/.exec(tail)?.[1];
}

/** Both sides must list the same clusters in the same versions; otherwise the comparison is meaningless. */
async function requireSameClusters(server: Load, kubernetes: Load): Promise<void> {
  const theirs = namesOf((await kubernetes.json(kubernetesPath))["items"]);
  const ours: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await server.json(ourPage(500, cursor));
    ours.push(...namesOf(page["clusters"]));
    cursor = typeof page["nextCursor"] === "string" ? page["nextCursor"] : undefined;
  } while (cursor !== undefined);
  const known = new Set(theirs);
  const isSame = ours.length === theirs.length && ours.every((name) => known.has(name));
  if (!isSame) throw new Error(`the server lists ${ours.length} clusters, the API server ${theirs.length}`);
}

function namesOf(items: unknown): string[] {
  return (items as { metadata: { name: string; namespace: string; resourceVersion: string } }[]).map(
    ({ metadata }) => `${metadata.namespace}/${metadata.name}@${metadata.resourceVersion}`,
  );
}
