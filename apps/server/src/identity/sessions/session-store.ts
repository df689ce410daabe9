import { randomBytes } from "node:crypto";
import { AlreadyExists, type ApiClient, type Informer, listAll } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { namespaces } from "@butler/api";
import { type Clock, Conflict, NotFound } from "@butler/std";
import { RouteProblem } from "../../http/problem.ts";
import type { IncomingRequest } from "../../ports.ts";
import {
  hashOf,
  isOver,
  judgeRefresh,
  secretOfSession,
  sessionKey,
  sessionOfSecret,
  type SessionRecord,
  type SessionTimes,
  sessionUserLabel,
} from "./session-record.ts";

const { Secret } = builtinKinds;

/** Dependencies of the session store. */
export interface SessionStoreParts {
  readonly client: ApiClient;
  /** Every Secret that signing in keeps. */
  readonly secrets: Informer<typeof Secret>;
  readonly clock: Clock;
  readonly times: SessionTimes;
  /** Ends other sign-ins of an account when all of its sessions are ended. */
  readonly alsoEnd?: ((userUid: string, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** The user of a new session and their sign-in method. */
export type NewSession = Pick<
  SessionRecord,
  "user" | "userUid" | "method" | "provider" | "issuer" | "subject" | "credential" | "providerSession"
> & {
  /** Chosen in advance where one proof must create only one session. */
  readonly id?: string | undefined;
  readonly request: IncomingRequest;
};

/** A session with its refresh token, which is returned only here. */
export interface OpenedSession {
  readonly record: SessionRecord;
  readonly refreshToken: string;
}

/** A session as young as this may not have reached every replica's memory yet. */
const youngMs = 10_000;

/** Whether a session is so new that other replicas may not have it cached. */
export function isYoung(bornAtMs: number, clock: Clock): boolean {
  return clock.now().getTime() - bornAtMs < youngMs;
}

/** Sessions of all replicas, each a Secret: a session ended by one replica ends on the others within moments. */
export class SessionStore {
  readonly #parts: SessionStoreParts;

  constructor(parts: SessionStoreParts) {
    this.#parts = parts;
  }

  get times(): SessionTimes {
    return this.#parts.times;
  }

  /** Creates a session. */
  async open({ id = newSessionId(), request, ...person }: NewSession, signal: AbortSignal): Promise<OpenedSession> {
    const { clock, times, client, secrets } = this.#parts;
    const nowMs = clock.now().getTime();
    const secret = newSecret();
    const record: SessionRecord = {
      id,
      ...person,
      createdAt: nowMs,
      expiresAt: nowMs + times.absoluteMs,
      usedAt: nowMs,
      refreshHash: hashOf(secret),
      spentHashes: [],
      csrfKey: newSecret(),
      sourceAddress: request.sourceAddress,
      userAgent: String(request.headers["user-agent"] ?? "").slice(0, 256),
    };
    try {
      const made = await client.create(Secret, secretOfSession(record), { fieldManager: "butler-server", signal });
      secrets.noteWrite(made);
    } catch (error) {
      if (error instanceof AlreadyExists) throw new RouteProblem("GONE", "this sign-in was already used");
      throw error;
    }
    return { record, refreshToken: `${id}.${secret}` };
  }

  /** The session of an id, as this replica knows it. */
  get(id: string): SessionRecord | undefined {
    const record = sessionOfSecret(this.#parts.secrets.get(sessionKey(id)));
    return record && !this.#isOver(record) ? record : undefined;
  }

  /** The session of an id; read from the API server if it may not be in the cache yet or the watch is down. */
  async find(id: string, bornAtMs: number): Promise<SessionRecord | undefined> {
    const { secrets, client, clock } = this.#parts;
    if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
    const isFollowing = secrets.isSynced && secrets.consecutiveFailures === 0;
    const known = this.get(id);
    if (isFollowing && (known !== undefined || !isYoung(bornAtMs, clock))) return known;
    const record = sessionOfSecret(await client.find(Secret, sessionKey(id)));
    return record && !this.#isOver(record) ? record : undefined;
  }

  /** Every session that has not ended, of one account or of all. */
  list(userUid?: string): SessionRecord[] {
    return this.#all().filter(
      (record) => !this.#isOver(record) && (userUid === undefined || record.userUid === userUid),
    );
  }

  /** Exchanges a refresh token for a new one. One that has been used before is reported, and ends the session. */
  async refresh(
    token: string,
    signal: AbortSignal,
    onStolen: (record: SessionRecord) => void = () => undefined,
  ): Promise<OpenedSession> {
    const { id, presented } = partsOfToken(token);
    if (id === undefined) throw ended();
    for (let attempt = 0; attempt < 5; attempt++) {
      const secret = await this.#parts.client.find(Secret, sessionKey(id), signal);
      const rotated = await this.#rotate(secret, { presented, onStolen }, signal);
      if (rotated !== undefined) return rotated;
    }
    throw busy();
  }

  /** Undefined if the session was modified concurrently. */
  async #rotate(
    secret: DynamicObject | undefined,
    { presented, onStolen }: { readonly presented: string; readonly onStolen: (record: SessionRecord) => void },
    signal: AbortSignal,
  ): Promise<OpenedSession | undefined> {
    const { client, clock, times, secrets } = this.#parts;
    const record = sessionOfSecret(secret);
    if (record === undefined) throw ended();
    const next = newSecret();
    const question = { presented, nextHash: hashOf(next), nowMs: clock.now().getTime(), times };
    const verdict = judgeRefresh(record, question);
    if (verdict.kind === "stolen") {
      onStolen(record);
      await this.revoke(record.id, signal);
    }
    if (verdict.kind === "busy") throw busy();
    if (verdict.kind !== "rotate") throw ended();
    try {
      const changed = secretOfSession(verdict.next, secret?.metadata.resourceVersion);
      secrets.noteWrite(await client.replace(Secret, changed, { fieldManager: "butler-server", signal }));
      return { record: verdict.next, refreshToken: `${record.id}.${next}` };
    } catch (error) {
      if (error instanceof NotFound) throw ended();
      if (error instanceof Conflict) return undefined;
      throw error;
    }
  }

  /** The session that a refresh token belongs to, without using the token up. */
  async ofRefreshToken(token: string, signal: AbortSignal): Promise<SessionRecord | undefined> {
    const { id, presented } = partsOfToken(token);
    if (id === undefined) return undefined;
    const record = sessionOfSecret(await this.#parts.client.find(Secret, sessionKey(id), signal));
    return record?.refreshHash === hashOf(presented) ? record : undefined;
  }

  /** Ends a session; it is not an error if it has already ended. */
  async revoke(id: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#parts.client.delete(Secret, sessionKey(id), { signal });
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }

  /**
   * Ends every session of an account except the given one; returns their number. Lists them from the API server to
   * include sessions just opened by another replica.
   */
  async revokeAll(
    userUid: string,
    { except, signal }: { readonly except?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<number> {
    const labelSelector = `${sessionUserLabel}=${userUid}`;
    let count = 0;
    for await (const secret of listAll(this.#parts.client, Secret, {
      namespace: namespaces.system,
      labelSelector,
      signal,
    })) {
      const record = sessionOfSecret(secret);
      if (record === undefined || record.id === except) continue;
      await this.revoke(record.id, signal);
      count += 1;
    }
    await this.#parts.alsoEnd?.(userUid, signal);
    return count;
  }

  /** Deletes expired sessions. */
  async sweep(signal: AbortSignal): Promise<void> {
    for (const record of this.#all()) if (this.#isOver(record)) await this.revoke(record.id, signal);
  }

  #all(): SessionRecord[] {
    return this.#parts.secrets.list().flatMap((secret) => sessionOfSecret(secret) ?? []);
  }

  #isOver(record: SessionRecord): boolean {
    return isOver(record, this.#parts.times, this.#parts.clock.now().getTime());
  }
}

/** The id of a session to come. */
export function newSessionId(): string {
  return randomBytes(16).toString("hex");
}

/** An unguessable secret. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

function partsOfToken(token: string): { readonly id: string | undefined; readonly presented: string } {
  const [id = "", presented = ""] = token.split(".", 2);
  return { id: /^[0-9a-f]{32}$/.test(id) ? id : undefined, presented };
}

function ended(): RouteProblem {
  return new RouteProblem("UNAUTHENTICATED", "this session has ended", { hint: "Sign in again." });
}

function busy(): RouteProblem {
  return new RouteProblem("CONFLICT", "another page just refreshed this session", {
    hint: "Use the cookies that the other page received.",
  });
}
