import { Team, type TenantCluster } from "@butler/api";
import { paperTerminal } from "@butler/cli-kit/testing";
import { type Client, createClient, pathOf, scaleCluster, upgradeCluster } from "@butler/contract";
import { type DynamicObject, parseObject } from "@butler/resource";
import { systemClock } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { perform } from "../../../apps/butleradm/src/tui/perform.ts";
import type { Outcome as Answer, Question } from "../../../apps/butleradm/src/tui/model/offer.ts";
import { clusterOffers } from "../../../apps/butleradm/src/tui/tabs/cluster-offers.ts";
import { scale } from "../../../apps/butlerctl/src/cluster/scale.ts";
import { upgrade } from "../../../apps/butlerctl/src/cluster/upgrade.ts";
import { scaling, upgrading } from "../../../apps/console/src/pages/cluster/settings/decisions.ts";
import { clusterHandlers } from "../../../apps/server/src/handlers/clusters.ts";
import type { HandlerContext } from "../../../apps/server/src/handlers/handler-context.ts";
import { runPipeline } from "../../../apps/server/src/http/pipeline.ts";
import type { ServerState } from "../../../apps/server/src/state/state.ts";
import { RecordedApi, type Rejection } from "./recorded-api.ts";

/** A request of a user for a cluster. */
export interface Situation {
  readonly cluster: TenantCluster;
  readonly request:
    | { readonly kind: "scale"; readonly pool: string; readonly workers: string }
    | { readonly kind: "upgrade"; readonly version: string };
  /** The role of the user in the team of the cluster. */
  readonly role?: "operator" | "viewer";
  readonly rejection?: Rejection;
}

/** What comes of it. */
export interface Outcome {
  readonly patches: RecordedApi["patches"];
  /** What the user reads instead of success; undefined if there is nothing to read. */
  readonly text: string | undefined;
}

type FrontEnd = (situation: Situation) => Promise<Outcome>;

/** Every front end by its name, as users call it. */
export const frontEnds: Readonly<Record<"butlerctl" | "server" | "console" | "dashboard", FrontEnd>> = {
  async butlerctl({ cluster, request, rejection }) {
    const api = new RecordedApi(cluster, rejection);
    const terminal = paperTerminal();
    const operating = { terminal, session: { client: api.client, signal: terminal.signal }, options: {} };
    try {
      if (request.kind === "scale") {
        await scale(operating, cluster, { pool: request.pool, workers: Number(request.workers) });
      } else await upgrade(operating, cluster, request.version);
    } catch (error) {
      return { patches: api.patches, text: textOf(error) };
    }
    return { patches: api.patches, text: api.patches.length > 0 ? undefined : terminal.said.at(-1) };
  },

  async server(situation) {
    const { client, api } = serverFor(situation);
    const { cluster, request } = situation;
    const { name, namespace = "" } = cluster.metadata;
    const params = { name, namespace };
    const answer =
      request.kind === "scale"
        ? client.call(scaleCluster, { params, body: { replicas: Number(request.workers), pool: request.pool } })
        : client.call(upgradeCluster, { params, body: { version: request.version } });
    return outcomeOf(api, answer);
  },

  async console(situation) {
    const { client, api } = serverFor(situation);
    const { cluster, request } = situation;
    if (request.kind === "scale") {
      const { refusal, request: sent } = scaling(cluster, request.pool, request.workers);
      return outcomeOf(api, sent && client.call(scaleCluster, sent), refusal);
    }
    const { refusal, request: sent } = upgrading(cluster, {}, request.version);
    return outcomeOf(api, sent && client.call(upgradeCluster, sent), refusal);
  },

  async dashboard({ cluster, request, rejection }) {
    const api = new RecordedApi(cluster, rejection);
    const first = clusterOffers(cluster)
      .find(({ title }) => title === request.kind)
      ?.begin();
    if (first === undefined || typeof first === "string") return { patches: [], text: first };
    const asked = request.kind === "scale" ? questionAbout(request.pool, first) : first;
    if (asked === undefined) return { patches: [], text: undefined };
    const answer = answered(asked, request.kind === "scale" ? request.workers : request.version);
    if (answer.kind === "fault") return { patches: api.patches, text: answer.fault };
    if (answer.kind !== "ask" || answer.question.kind !== "confirm") throw new Error("expected a confirmation");
    const { isDone, text } = await perform(api.client, answer.question.change, new AbortController().signal);
    return { patches: api.patches, text: isDone ? undefined : text };
  },
};

/** The dashboard only offers pools that exist, one after another. */
function questionAbout(pool: string, first: Question): Question | undefined {
  const seen = new Set<string>();
  for (let question: Question | undefined = first; question?.kind === "type"; question = question.next?.()) {
    const [line = ""] = question.lines;
    if (line.startsWith(`The pool ${pool} `)) return question;
    if (seen.has(line)) return undefined;
    seen.add(line);
  }
  return undefined;
}

function answered(question: Question, text: string): Answer {
  if (question.kind !== "type") throw new Error("expected a question");
  return question.answered(text);
}

async function outcomeOf(api: RecordedApi, answer: Promise<unknown> | undefined, refusal?: string): Promise<Outcome> {
  const text = await answer?.then(() => undefined, textOf);
  return { patches: api.patches, text: refusal ?? text };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The server's own request pipeline and handlers behind the typed client; only the API server is recorded. */
function serverFor({ cluster, rejection, role = "operator" }: Situation): { client: Client; api: RecordedApi } {
  const api = new RecordedApi(cluster, rejection);
  const team = parseObject(Team, {
    apiVersion: Team.apiVersion,
    kind: Team.kind,
    metadata: { name: "payments" },
    spec: { access: { users: [{ name: "ada@example.com", role }] } },
  });
  const state = {
    clusters: { get: () => cluster, addHandler: () => undefined },
    teams: { get: () => team, list: () => [team] },
    teamOf: () => team,
    environmentOf: () => undefined,
    caches: { noteWrite: () => undefined },
  } as unknown as ServerState;
  const handlers = clusterHandlers({ state, client: api.client, clock: systemClock } as HandlerContext);
  const parts = {
    state,
    client: api.client,
    authenticate: () => Promise.resolve({ person: { email: "ada@example.com", groups: [] } }),
    checkCsrf: () => true,
    audit: { begin: () => Promise.resolve(), commit: () => Promise.resolve() },
    clock: systemClock,
    logger: silentLogger,
    requestTimeoutMs: 1_000,
    checkAnswers: false,
  };
  const { name, namespace = "" } = cluster.metadata;
  const params = { name, namespace };
  const send: typeof fetch = async (address, { method = "GET", body } = {}) => {
    const url = typeof address === "string" ? address : "";
    const handler = handlers.find(({ route }) => route.method === method && pathOf(route, params) === url);
    if (handler === undefined) throw new Error(`no route ${method} ${url}`);
    const outcome = await runPipeline(parts, handler, {
      request: { method, url, headers: {}, sourceAddress: "192.0.2.1" },
      requestId: "1",
      params,
      query: {},
      bodyText: typeof body === "string" ? body : "",
      setHeader: () => undefined,
    });
    if ("problem" in outcome) return Response.json(outcome.problem, { status: outcome.problem.status });
    return Response.json(outcome.body, { status: outcome.status });
  };
  return { client: createClient({ baseUrl: "", fetch: send }), api };
}

/** A cluster of the team payments, as the API server returns it. */
export function aStoredCluster(parts: {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}) {
  const object: DynamicObject = {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "TenantCluster",
    metadata: { name: "blue", namespace: "payments", uid: "one", resourceVersion: "7", ...parts.metadata },
    spec: {
      teamRef: { name: "payments" },
      kubernetesVersion: "v1.34.1",
      controlPlane: { replicas: 1 },
      workers: { replicas: 2, machineTemplate: {} },
      ...parts.spec,
    },
    status: { observedState: { kubernetesVersion: "v1.34.1" }, ...parts.status },
  };
  return object as unknown as TenantCluster;
}
