import { randomBytes } from "node:crypto";
import { type LiveChannel, liveChannels, liveCloseCodes, type LiveFilter, type LiveRequest } from "@butler/contract";
import type { Clock, Timer } from "@butler/std";
import type { SignedIn } from "../ports.ts";
import { ChannelLog } from "./channel-log.ts";
import { Connection, type Subscription } from "./connection.ts";
import type { LiveSessions, LiveWire } from "./ports.ts";
import { View, type ViewFacts, viewName, type VisibleTeams } from "./view.ts";

/** Options of the hub. */
export interface HubOptions {
  readonly clock: Clock;
  readonly sessions: LiveSessions;
  /** Teams that a user can currently see. */
  readonly visibleTeams: (caller: SignedIn) => VisibleTeams;
  /** Prepares the resources of a subscription; returns a function that releases them, or an error. */
  readonly prepare?: (
    channel: LiveChannel,
    filter: LiveFilter,
    teams: VisibleTeams,
  ) => (() => void) | { readonly code: string; readonly message: string };
  /** Interval between updates; of an object that changes several times in between, only the last state is sent. */
  readonly turnMs?: number;
  readonly mostSubscriptions?: number;
  readonly logCapacity?: number;
}

/**
 * All connections and their subscriptions. Changes are batched for a short turn; then each view computes its update
 * once, and every socket that shares the view is sent the same bytes.
 */
export class LiveHub {
  readonly logs: Readonly<Record<LiveChannel, ChannelLog>>;
  readonly #options: HubOptions;
  readonly #epoch = randomBytes(6)
    .toString("base64url")
    .replaceAll(/[^A-Za-z0-9]/g, "x");
  readonly #connections = new Set<Connection>();
  readonly #views = new Map<string, View>();
  readonly #stopListening: () => void;
  #turn: Timer | undefined;
  /** When the last turn was. */
  #turnAtMs = Number.NEGATIVE_INFINITY;
  #isRecheckDue = false;

  constructor(options: HubOptions) {
    this.#options = options;
    const schedule = (): void => this.#schedule();
    this.logs = Object.fromEntries(
      liveChannels.map((channel) => [channel, new ChannelLog(schedule, options.logCapacity)]),
    ) as Record<LiveChannel, ChannelLog>;
    this.#stopListening = options.sessions.onChange(() => this.recheckSoon());
  }

  get size(): number {
    return this.#connections.size;
  }

  /** How many sockets a session has. */
  countOf(sessionId: string): number {
    return [...this.#connections].filter((connection) => connection.sessionId === sessionId).length;
  }

  connect(wire: LiveWire, who: { readonly sessionId: string; readonly caller: SignedIn }): Connection {
    const connection = new Connection(wire, who);
    this.#connections.add(connection);
    return connection;
  }

  disconnect(connection: Connection): void {
    connection.end();
    this.#connections.delete(connection);
    this.#forgetViews();
  }

  receive(connection: Connection, request: LiveRequest): void {
    if (request.type === "unsubscribe") return this.#unsubscribe(connection, request.id);
    this.#unsubscribe(connection, request.id);
    const { id, channel, filter = {}, cursor } = request;
    if (connection.subscriptions.size >= (this.#options.mostSubscriptions ?? 32)) {
      return connection.close(liveCloseCodes.tooMany, "too many subscriptions");
    }
    const teams = this.#options.visibleTeams(connection.caller);
    const release = this.#options.prepare?.(channel, filter, teams) ?? (() => undefined);
    if (typeof release !== "function") return connection.say({ type: "error", id, ...release });
    const view = this.#viewOf({ channel, filter, teams });
    const position = cursor === undefined ? undefined : view.positionOf(cursor);
    connection.subscriptions.set(id, { id, facts: { channel, filter }, view, position, rest: [], release });
    this.#schedule(true);
  }

  /** Rechecks the access of all connections within milliseconds; coalesces concurrent requests. */
  recheckSoon(): void {
    if (this.#isRecheckDue) return;
    this.#isRecheckDue = true;
    this.#options.clock.after(5, () => this.#recheckAll());
  }

  /** Sends heartbeats to idle connections. */
  beat(): void {
    for (const connection of this.#connections) if (!connection.isBlocked) connection.say({ type: "beat" });
  }

  /** Closes all connections, so that clients reconnect to another replica. */
  drain(): void {
    this.#stopListening();
    this.#turn?.cancel();
    for (const connection of this.#connections) connection.close(liveCloseCodes.drain, "the server is stopping");
    this.#connections.clear();
  }

  #recheckAll(): void {
    if (!this.#isRecheckDue) return;
    this.#isRecheckDue = false;
    for (const connection of this.#connections) this.#recheck(connection);
    this.#forgetViews();
    this.#schedule();
  }

  #recheck(connection: Connection): void {
    const caller = this.#options.sessions.find(connection.sessionId);
    if (caller === undefined) {
      this.#connections.delete(connection);
      return connection.close(liveCloseCodes.signedOut, "the session has ended");
    }
    connection.caller = caller;
    const teams = this.#options.visibleTeams(caller);
    for (const subscription of connection.subscriptions.values()) this.#move(subscription, teams);
  }

  /** The visibility of a client changed: it gets a new snapshot, which removes what it may no longer see. */
  #move(subscription: Subscription, teams: VisibleTeams): void {
    const facts = { ...subscription.facts, teams };
    if (viewName(facts) === subscription.view.name) return;
    subscription.view = this.#viewOf(facts);
    subscription.position = undefined;
    subscription.rest = [];
  }

  #unsubscribe(connection: Connection, id: string): void {
    connection.subscriptions.get(id)?.release();
    connection.subscriptions.delete(id);
  }

  #viewOf(facts: ViewFacts): View {
    const name = viewName(facts);
    const view = this.#views.get(name) ?? new View(facts, this.logs[facts.channel], this.#epoch);
    this.#views.set(name, view);
    return view;
  }

  #forgetViews(): void {
    const used = new Set(
      [...this.#connections].flatMap(({ subscriptions }) => [...subscriptions.values()]).map(viewIn),
    );
    for (const [name, view] of this.#views) if (!used.has(view)) this.#views.delete(name);
  }

  /**
   * Schedules a turn. Changes are batched for it; a new subscription gets its snapshot as soon as the last turn is long
   * enough ago, so that many subscriptions at once still share the same serialized text.
   */
  #schedule(isAwaited = false): void {
    if (this.#connections.size === 0) return;
    const { clock, turnMs = 50 } = this.#options;
    if (isAwaited) {
      this.#turn?.cancel();
      this.#turn = undefined;
    }
    const waitMs = isAwaited ? Math.max(0, this.#turnAtMs + turnMs - clock.monotonicMs()) : turnMs;
    this.#turn ??= clock.after(waitMs, () => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#turn = undefined;
    this.#turnAtMs = this.#options.clock.monotonicMs();
    // Recheck access first: nothing is sent to a client whose rights may have changed.
    this.#recheckAll();
    let isDone = true;
    for (const connection of this.#connections) isDone = connection.pump() && isDone;
    for (const view of this.#views.values()) view.endTurn();
    if (!isDone) this.#schedule();
  }
}

function viewIn({ view }: Subscription): View {
  return view;
}
