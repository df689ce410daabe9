import type { AccessSubject } from "@butler/access";
import type { TenantCluster } from "@butler/api";
import type { openTerminal, RouteAnswer } from "@butler/contract";
import { keyText } from "@butler/resource";
import { Conflict, describeError, NotFound, sleep } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { SecretRecords, type Stored } from "../identity/cli-access/secret-records.ts";
import { hashOf, isHashOf, newId, newSecret } from "../identity/cli-access/secrets.ts";
import { kubeconfigKey } from "../handlers/cluster-details.ts";
import { RouteProblem } from "../http/problem.ts";
import type { AuditSink, SignedIn } from "../ports.ts";
import type { ServerState } from "../state/state.ts";
import { bridge, keepEarly } from "./bridge.ts";
import type { ExecDialer } from "./exec.ts";
import { awaitPod, makeTerminal, type TerminalPlace, unmakeTerminal } from "./terminal-objects.ts";
import {
  isAbandoned,
  isTicketDue,
  lastMomentOf,
  stillHas,
  terminalRecord,
  type TerminalRecord,
  terminalRoleOf,
  terminalTimes,
} from "./terminal.ts";
import type { WebSocket } from "ws";

/** Options of terminals. */
export interface TerminalsOptions extends TerminalPlace {
  readonly state: ServerState;
  readonly audit: AuditSink;
  readonly logger: Logger;
  readonly exec: ExecDialer;
  /** The user with current roles; undefined if the session has ended. */
  readonly callerNow: (sessionId: string, email: string) => SignedIn | undefined;
  /** Maximum number of open terminals per user. */
  readonly mostPerPerson?: number;
  /** Interval of the search for abandoned terminals. */
  readonly sweepEveryMs?: number;
}

/** A terminal that this replica serves. */
interface Served {
  readonly record: TerminalRecord;
  readonly browser: WebSocket;
}

/**
 * Terminals: each is created for one user and one cluster, and ends with the role, the session, the idle timeout or its
 * maximum lifetime.
 */
export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #records: SecretRecords<TerminalRecord>;
  readonly #served = new Map<string, Served>();
  readonly #ends = new Set<Promise<void>>();

  constructor(options: TerminalsOptions) {
    this.#options = options;
    const { client, state } = options;
    this.#records = new SecretRecords({ client, caches: state.caches }, { name: "terminal", schema: terminalRecord });
  }

  /** Creates a terminal and its ticket. If any step fails, all its objects are deleted. */
  async open(
    caller: SignedIn,
    { cluster, subject }: { readonly cluster: TenantCluster; readonly subject: AccessSubject | undefined },
    signal: AbortSignal,
  ): Promise<RouteAnswer<typeof openTerminal>> {
    const { clock, mostPerPerson = 5 } = this.#options;
    const email = caller.person.email.trim().toLowerCase();
    const open = this.#records.list().filter(({ value }) => value.email === email);
    if (open.length >= mostPerPerson) {
      throw new RouteProblem("CONFLICT", `you have ${open.length} terminals open`, { hint: "Close a terminal first." });
    }
    const role = terminalRoleOf(caller, subject ?? {});
    if (role === undefined) throw new RouteProblem("FORBIDDEN", "requires a role in the cluster's team");
    const [id, ticket, now] = [newId(), newSecret(), clock.now()];
    const { name, namespace = "", uid = "" } = cluster.metadata;
    const tenant = kubeconfigKey(cluster);
    const record: TerminalRecord = {
      email,
      sessionId: caller.sessionId ?? "",
      cluster: { name, namespace, uid },
      tenant: { name: tenant.name, namespace: tenant.namespace ?? "" },
      role,
      createdAt: now.toISOString(),
      beatAt: now.toISOString(),
      ticketHash: hashOf(ticket),
    };
    await this.#records.create(id, record, signal);
    try {
      await makeTerminal(this.#options, { id, record }, signal);
    } catch (error) {
      await this.#clear({ id, record });
      throw error;
    }
    return {
      id,
      url: `/api/terminal/${id}`,
      ticket,
      ticketExpiresAt: new Date(now.getTime() + terminalTimes.ticketSeconds * 1_000).toISOString(),
      expiresAt: lastMomentOf(record).toISOString(),
      role,
    };
  }

  /** Redeems a ticket: returns the terminal record, once, for the user it was issued to. */
  async admit(id: string, ticket: string, caller: SignedIn): Promise<Stored<TerminalRecord> | undefined> {
    const found = await this.#records.find(id);
    if (found === undefined) return undefined;
    const { value } = found;
    const isTheirs =
      value.email === caller.person.email.trim().toLowerCase() && value.sessionId === (caller.sessionId ?? "");
    const isGood = isHashOf(value.ticketHash || undefined, ticket) && isTicketDue(value, this.#options.clock.now());
    if (!isTheirs || !isGood || !this.#mayGoOn(value)) return undefined;
    try {
      return await this.#records.replace(found, { ...value, ticketHash: "" });
    } catch (error) {
      // Of two requests with the same ticket, one is too late.
      if (error instanceof Conflict || error instanceof NotFound) return undefined;
      throw error;
    }
  }

  /** Serves a terminal until it ends, and deletes its objects. */
  serve(terminal: Stored<TerminalRecord>, browser: WebSocket): Promise<void> {
    const end = this.#serve(terminal, browser).finally(() => this.#ends.delete(end));
    this.#ends.add(end);
    return end;
  }

  /** Closes all terminals, because this replica is stopping. */
  drain(): void {
    for (const { browser } of this.#served.values())
      browser.close(1012, "the server is stopping; open another terminal");
  }

  /** Settles when all terminals have ended and are cleaned up. */
  async ended(): Promise<void> {
    await Promise.all(this.#ends);
  }

  async #serve({ id, value: record }: Stored<TerminalRecord>, browser: WebSocket): Promise<void> {
    const { exec, image, clock, logger } = this.#options;
    const over = new AbortController();
    browser.once("close", () => over.abort());
    const early = keepEarly(browser);
    this.#served.set(id, { record, browser });
    const beating = this.#beat(id, over.signal);
    const last = clock.after(lastMomentOf(record).getTime() - clock.now().getTime(), () => browser.close(1000, "over"));
    let why = "failed";
    try {
      await awaitPod(this.#options, id, over.signal);
      const pod = await exec(id, image.command ?? ["/bin/sh"]);
      why = await bridge({ browser, pod, early: early.take(), clock, idleMs: terminalTimes.idleSeconds * 1_000 });
    } catch (error) {
      if (!over.signal.aborted) logger.warn("a terminal failed", { id, error: describeError(error) });
      browser.close(1011, "the terminal cannot be reached");
    } finally {
      last.cancel();
      over.abort();
      this.#served.delete(id);
      await beating;
      await this.#clear({ id, record });
      await this.#recordEnd(id, record, why);
    }
  }

  /** Watches roles and sessions, and cleans up after dead replicas. */
  start(signal: AbortSignal): void {
    const { state } = this.#options;
    const judge = (): void => this.recheck();
    const stops = [state.teams.addHandler(judge), state.users.addHandler(judge), state.clusters.addHandler(judge)];
    signal.addEventListener("abort", () => stops.forEach((stop) => stop()), { once: true });
    void this.#sweep(signal);
  }

  /** Closes every terminal whose user no longer has access. Also called when a session ends. */
  recheck(): void {
    for (const { record, browser } of this.#served.values()) {
      if (!this.#mayGoOn(record)) browser.close(1008, "access revoked");
    }
  }

  #mayGoOn({ email, sessionId, cluster: key, role }: TerminalRecord): boolean {
    const { state, callerNow } = this.#options;
    const caller = callerNow(sessionId, email);
    const cluster = state.clusters.get({ name: key.name, namespace: key.namespace });
    if (caller === undefined || cluster?.metadata.uid !== key.uid) return false;
    const subject = { team: state.teamOf(cluster), environment: state.environmentOf(cluster) };
    return stillHas(terminalRoleOf(caller, subject), role);
  }

  async #beat(id: string, signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    while (!signal.aborted) {
      try {
        await sleep(clock, terminalTimes.beatSeconds * 1_000, signal);
        const found = await this.#records.find(id, signal);
        if (found === undefined) return;
        await this.#records.replace(found, { ...found.value, beatAt: clock.now().toISOString() }, signal);
      } catch (error) {
        if (!signal.aborted)
          logger.warn("failed to update a terminal's heartbeat", { id, error: describeError(error) });
      }
    }
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    const { clock, sweepEveryMs = 15_000 } = this.#options;
    while (!signal.aborted) {
      const now = clock.now();
      for (const { id, value } of this.#records.list()) {
        const isOver = isAbandoned(value, now) || (value.ticketHash !== "" && !isTicketDue(value, now));
        if (isOver && !this.#served.has(id)) await this.#clear({ id, record: value });
      }
      await sleep(clock, sweepEveryMs, signal).catch(() => undefined);
    }
  }

  /** The record is deleted last: as long as it exists, the cleanup is retried. */
  async #clear(terminal: { readonly id: string; readonly record: TerminalRecord }): Promise<void> {
    const { logger } = this.#options;
    const signal = AbortSignal.timeout(20_000);
    try {
      await unmakeTerminal(this.#options, terminal, signal);
      await this.#records.remove(terminal.id, signal);
    } catch (error) {
      logger.warn("failed to clean up a terminal", { id: terminal.id, error: describeError(error) });
    }
  }

  async #recordEnd(id: string, { email, cluster }: TerminalRecord, why: string): Promise<void> {
    const { audit, clock, logger, state } = this.#options;
    const { name, namespace } = cluster;
    try {
      await audit.commit({
        timestamp: clock.now().toISOString(),
        requestId: id,
        user: email,
        action: "close-terminal",
        resourceType: "Terminal",
        resourceName: name,
        resourceNamespace: namespace,
        teamRef: state.clusters.get({ name, namespace })?.spec.teamRef?.name ?? "",
        httpMethod: "",
        path: `/api/terminal/${id}`,
        statusCode: 200,
        success: why !== "failed",
        code: "",
        fields: [],
        sourceIP: "",
      });
    } catch (error) {
      logger.error("failed to audit the end of a terminal session", {
        id,
        of: keyText(cluster),
        error: describeError(error),
      });
    }
  }
}
