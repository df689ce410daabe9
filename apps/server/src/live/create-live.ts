import { createLiveTicket } from "@butler/contract";
import type { KubeClient } from "@butler/kube";
import { keyOf, type ObjectKey } from "@butler/resource";
import { type Clock, describeError, systemClock } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import type { FastifyInstance } from "fastify";
import { type Handler, handle } from "../http/handler.ts";
import { RouteProblem } from "../http/problem.ts";
import type { ServerState } from "../state/state.ts";
import { followState } from "./channels.ts";
import { type HubOptions, LiveHub } from "./hub.ts";
import { NodeWatches } from "./node-watches.ts";
import type { LiveSessions, TicketUses } from "./ports.ts";
import { issueTicket, isOwnOrigin } from "./ticket.ts";
import { TeamVisibility } from "./team-visibility.ts";
import { serveSockets } from "./upgrade.ts";

/** Options of live channels. */
export interface LiveServerOptions {
  /** Before its caches are started. */
  readonly state: ServerState;
  readonly sessions: LiveSessions;
  readonly uses: TicketUses;
  /** Keys that all servers share; the first signs. */
  readonly keys: () => readonly Uint8Array[];
  readonly tenants: { clientFor(key: ObjectKey, signal: AbortSignal): Promise<KubeClient> };
  /** The console's address; when empty, a page must come from the host that it connects to. */
  readonly publicUrl: string;
  /** Deletes expired tickets periodically. */
  readonly sweep?: () => Promise<unknown>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
}

/** The live channels of a server. */
export interface LiveServer {
  readonly hub: LiveHub;
  readonly handlers: () => readonly Handler[];
  /** Accepts WebSockets; pass it to the server as `extend`. */
  readonly extend: (app: FastifyInstance) => void;
}

const sweepEveryMs = 120_000;

/** Creates the live channels. They start when the server listens, and stop with it. */
export function createLive(options: LiveServerOptions): LiveServer {
  const { state, sessions, uses, keys, tenants, publicUrl, clock = systemClock, logger = silentLogger } = options;
  const prepare: HubOptions["prepare"] = (channel, filter, teams) => {
    if (channel !== "nodes") return () => undefined;
    const { namespace, cluster: name = "" } = filter;
    const cluster = state.clusters.get({ namespace, name });
    const team = cluster?.spec.teamRef?.name;
    const isSeen = teams === undefined || (team !== undefined && teams.has(team));
    // Missing clusters and clusters of other teams return the same error.
    if (cluster === undefined || !isSeen) return { code: "NOT_FOUND", message: "cluster not found" };
    return nodes.follow(cluster);
  };
  const visibility = new TeamVisibility((caller) => state.visibleTeams(caller));
  const hub = new LiveHub({ clock, sessions, visibleTeams: (caller) => visibility.of(caller), prepare });
  const nodes = new NodeWatches({
    log: hub.logs.nodes,
    tenants,
    clusterAt: (key) => state.clusters.get(key),
    clock,
    logger,
  });
  const stopTeams = state.teams.addHandler((event) => {
    if (visibility.take(event)) hub.recheckSoon();
  });
  const stopNodes = state.clusters.addHandler(({ object }) => nodes.refresh(keyOf(object)));
  const stopFollowing = followState(state, hub.logs, clock);
  const recheck = (): void => hub.recheckSoon();
  const stops = [stopFollowing, stopNodes, stopTeams, state.users.addHandler(recheck)];
  return {
    hub,
    handlers: () => [ticketHandler(options, clock)],
    extend: (app) => {
      const limits = { mostSockets: 5_000, mostPerSession: 20 };
      const { metrics = new MetricsRegistry() } = options;
      const stopServing = serveSockets(app, {
        hub,
        sessions,
        uses,
        keys,
        publicUrl,
        clock,
        logger,
        metrics,
        ...limits,
      });
      const sweeps = setInterval(() => {
        options
          .sweep?.()
          .catch((error: unknown) => logger.warn("failed to delete expired tickets", { error: describeError(error) }));
      }, sweepEveryMs);
      sweeps.unref();
      // Before the server waits for its connections to close: WebSockets would not close on their own.
      app.addHook("preClose", (done) => {
        clearInterval(sweeps);
        for (const stop of stops) stop();
        nodes.close();
        stopServing();
        done();
      });
    },
  };
}

function ticketHandler({ keys, publicUrl }: LiveServerOptions, clock: Clock): Handler {
  return handle(createLiveTicket, ({ caller, request }) => {
    const { sessionId } = caller;
    const [key] = keys();
    if (sessionId === undefined) {
      throw new RouteProblem("FORBIDDEN", "live channels require a session", { hint: "Sign in with a browser." });
    }
    if (key === undefined) throw new RouteProblem("UNAVAILABLE", "the signing key for tickets is not ready yet");
    const { origin: given = "", host } = request.headers;
    const origin = typeof given === "string" ? given : "";
    if (origin !== "" && !isOwnOrigin(origin, { host: typeof host === "string" ? host : undefined, publicUrl })) {
      throw new RouteProblem("FORBIDDEN", "live channels are not available to other origins");
    }
    const { ticket, text } = issueTicket({ sessionId, origin, now: clock.now() }, key);
    return { ticket: text, expiresAt: new Date(ticket.expiresAtMs).toISOString() };
  });
}
