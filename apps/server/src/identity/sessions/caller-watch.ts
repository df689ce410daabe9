import { memberRoleOf } from "@butler/access";
import { type Clock, stableStringify, type Timer } from "@butler/std";
import type { SignedIn } from "../../ports.ts";
import type { ServerState } from "../../state/state.ts";

/** Called when a user's access has changed, with the current user, or undefined if the session is no longer valid. */
export type CallerListener = (caller: SignedIn | undefined) => void;

/** Options of the caller watch. */
export interface CallerWatchParts {
  readonly state: Pick<ServerState, "teams" | "users" | "identityProviders">;
  /** Changes of sessions. */
  readonly onSessionsChanged: (listener: () => void) => () => void;
  /** The current user of a session. */
  readonly current: (sessionId: string) => SignedIn | undefined;
  readonly clock: Clock;
}

interface Follower {
  readonly sessionId: string;
  readonly listener: CallerListener;
  readonly sinceMs: number;
  /** Undefined until the session has been seen here: another replica may have opened it a moment ago. */
  fingerprint: string | undefined;
}

/** Debounce interval: changes in close succession are handled together. */
const gatherMs = 20;
/** Sessions also expire, which no watch reports. */
const lookMs = 1_000;

/**
 * Watches users with open connections: the loss of a session, an account, a role or a team is reported promptly, so
 * that the connections can be closed or restricted.
 */
export class CallerWatch {
  readonly #parts: CallerWatchParts;
  readonly #followers = new Set<Follower>();
  readonly #unsubscribe: (() => void)[] = [];
  #pending: Timer | undefined;
  #clockwork: Timer | undefined;

  constructor(parts: CallerWatchParts) {
    this.#parts = parts;
  }

  /** Starts watching; ends when the signal aborts. */
  start(signal: AbortSignal): void {
    const { state, onSessionsChanged } = this.#parts;
    const look = (): void => this.#lookSoon();
    this.#unsubscribe.push(
      state.teams.addHandler(look),
      state.users.addHandler(look),
      state.identityProviders.addHandler(look),
      onSessionsChanged(look),
    );
    this.#tick();
    signal.addEventListener("abort", () => this.#stop(), { once: true });
  }

  /** Calls the listener for every change that affects the session. Returns a function that stops it. */
  follow(sessionId: string, listener: CallerListener): () => void {
    const sinceMs = this.#parts.clock.monotonicMs();
    const caller = this.#parts.current(sessionId);
    const follower = { sessionId, listener, sinceMs, fingerprint: caller && this.#fingerprint(caller) };
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  #lookSoon(): void {
    if (this.#followers.size === 0) return;
    this.#pending ??= this.#parts.clock.after(gatherMs, () => {
      this.#pending = undefined;
      this.#look();
    });
  }

  #look(): void {
    for (const follower of this.#followers) {
      const caller = this.#parts.current(follower.sessionId);
      const fingerprint = this.#fingerprint(caller);
      const before = follower.fingerprint;
      const isUnseen = before === undefined;
      const mayStillCome = caller === undefined && this.#parts.clock.monotonicMs() < follower.sinceMs + lookMs;
      if (fingerprint === before || (isUnseen && mayStillCome)) continue;
      follower.fingerprint = fingerprint;
      if (caller === undefined) this.#followers.delete(follower);
      if (caller === undefined || !isUnseen) follower.listener(caller);
    }
  }

  /** Everything that determines a user's access, as text; empty without a user. */
  #fingerprint(caller: SignedIn | undefined): string {
    if (caller === undefined) return "";
    const roles = this.#parts.state.teams.list().flatMap((team) => {
      const environments = (team.spec.environments ?? []).map(({ name }) => name);
      const own = [undefined, ...environments].map((name) => memberRoleOf(team, caller.person, name) ?? "");
      return own.some((role) => role !== "") ? [[team.metadata.name, environments, own]] : [];
    });
    return stableStringify([caller, roles.sort((left, right) => (String(left[0]) < String(right[0]) ? -1 : 1))]);
  }

  #tick(): void {
    this.#clockwork = this.#parts.clock.after(lookMs, () => {
      this.#look();
      this.#tick();
    });
  }

  #stop(): void {
    for (const end of this.#unsubscribe.splice(0)) end();
    this.#pending?.cancel();
    this.#clockwork?.cancel();
    this.#followers.clear();
  }
}
