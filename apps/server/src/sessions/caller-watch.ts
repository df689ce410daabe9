import { memberRoleOf } from "@butler/access";
import { type Clock, stableStringify, type Timer } from "@butler/std";
import type { SignedIn } from "../ports.ts";
import type { ServerState } from "../state/state.ts";

/** Told when what somebody may do has changed: who they are now, or undefined when they are nobody any more. */
export type CallerListener = (caller: SignedIn | undefined) => void;

/** What following callers needs. */
export interface CallerWatchParts {
  readonly state: Pick<ServerState, "teams" | "users" | "identityProviders">;
  /** Changes of sessions. */
  readonly onSessionsChanged: (listener: () => void) => () => void;
  /** Whom a session stands for at this moment. */
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

/** Changes that come together are looked at together. */
const gatherMs = 20;
/** Sessions also end by themselves, which no watch tells. */
const lookMs = 1_000;

/**
 * Follows people whose connection stays open: whoever loses a session, an account, a role or a team is told of within
 * moments, and what they have open can be closed or narrowed.
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

  /** Begins to watch; ends when the signal aborts. */
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

  /** Tells the listener of every change that concerns the session from now on. Gives a function that ends this. */
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

  /** Everything that decides what somebody may do, as text; empty for nobody. */
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
