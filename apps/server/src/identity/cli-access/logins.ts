import { callerOfUser, cliNamespaceOf } from "@butler/access";
import type { User } from "@butler/api";
import type { cliCredentials } from "@butler/contract";
import type { ApiClient } from "@butler/kube";
import { type Clock, Conflict, describeError } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import type { z } from "zod";
import { RouteProblem } from "../../http/problem.ts";
import type { Authenticator, SignedIn } from "../../ports.ts";
import type { ServerState } from "../../state/state.ts";
import type { GroupSource } from "../sign-in/group-source.ts";
import { type KubernetesAddress, kubeconfigText, requestAccountToken } from "./account-token.ts";
import {
  cliLifetimes,
  cliLogin,
  type CliLogin,
  endOf,
  groupsEndMsOf,
  isAccess,
  judgeRefresh,
  rotated,
} from "./login.ts";
import { SecretRecords, type Stored } from "./secret-records.ts";
import { hashOf, newId, newSecret, readToken, tokenText } from "./secrets.ts";

/** Credentials for a command line. */
export type CliCredentials = z.output<typeof cliCredentials>;

const refreshPrefix = "bcr";
const accessPrefix = "bca";
const sessionPrefix = "cli-";

/** With more command lines than this, the oldest is signed out. */
const mostPerPerson = 20;

/** With less than this, Kubernetes issues no token. */
const leastTokenSeconds = 600;

/** Options of command-line sign-ins. */
export interface CliLoginsOptions {
  readonly client: ApiClient;
  readonly state: ServerState;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly groups: GroupSource;
  readonly kubernetes: KubernetesAddress;
}

/** A sign-in to create. */
export interface NewLogin {
  readonly user: User;
  readonly clientName: string;
  readonly sourceAddress: string;
}

/** A new sign-in and its credentials. */
export interface BegunLogin {
  readonly login: Stored<CliLogin>;
  readonly credentials: CliCredentials;
}

/** Signed-in command lines: each is a Secret with hashes, and is valid as long as the Secret exists. */
export class CliLogins {
  readonly records: SecretRecords<CliLogin>;
  readonly #options: CliLoginsOptions;

  constructor(options: CliLoginsOptions) {
    this.#options = options;
    this.records = new SecretRecords(
      { client: options.client, caches: options.state.caches },
      {
        name: "cli-login",
        schema: cliLogin,
      },
    );
  }

  /** Creates a sign-in. If any step fails, nothing is left behind. */
  async begin({ user, clientName, sourceAddress }: NewLogin, signal: AbortSignal): Promise<BegunLogin> {
    const [access, refresh, now] = [newSecret(), newSecret(), this.#options.clock.now().toISOString()];
    const { uid = "", name } = user.metadata;
    const value: CliLogin = {
      userUid: uid,
      userName: name,
      clientName,
      sourceAddress,
      createdAt: now,
      refreshedAt: now,
      accessHash: hashOf(access),
      refreshHash: hashOf(refresh),
      usedHashes: [],
    };
    const login = await this.records.create(newId(), value, signal);
    for (const { id } of this.ofUser(uid).slice(mostPerPerson)) await this.records.remove(id, signal);
    try {
      return { login, credentials: await this.#credentials({ login, user, access, refresh }, signal) };
    } catch (error) {
      await this.records.remove(login.id);
      throw error;
    }
  }

  /** Ends all sign-ins of a user, as after a password change or a lost laptop. */
  async endAll(uid: string, signal?: AbortSignal): Promise<void> {
    for (const { id } of this.ofUser(uid)) await this.records.remove(id, signal);
  }

  /** Exchanges a refresh token. Reports a token that is used again after the sign-in has ended. */
  async refresh(
    token: string,
    signal: AbortSignal,
    onReuse: (login: Stored<CliLogin>) => Promise<void> = () => Promise.resolve(),
  ): Promise<BegunLogin> {
    const parts = readToken(refreshPrefix, token);
    const found = parts && (await this.records.find(parts.id, signal));
    const user = found && this.userOf(found.value);
    if (parts === undefined || found === undefined || user === undefined) throw ended();
    const now = this.#options.clock.now();
    const verdict = judgeRefresh(found.value, parts.secret, { now, end: this.endOf(found.value, user) });
    if (verdict === "raced") throw raced();
    // A reused token was copied: end the sign-in for both holders.
    if (verdict === "reused" || verdict === "ended") await this.records.remove(found.id, signal);
    if (verdict === "reused") await onReuse(found);
    if (verdict !== "rotate") throw ended();
    return this.#rotate(found, { user: await this.#withGroups(found, user, signal), now }, signal);
  }

  /** When a sign-in of an account ends unless it is refreshed. */
  endOf(login: CliLogin, user: User): Date {
    return endOf(login, { user, canAskGroups: this.#options.groups.canAsk(user) });
  }

  /** The account with current groups. Ends the sign-in if the provider no longer has the user. */
  async #withGroups(login: Stored<CliLogin>, user: User, signal: AbortSignal): Promise<User> {
    if (!this.#options.groups.canAsk(user)) return user;
    const current = await this.#askGroups(login, user, signal);
    if (current !== undefined && callerOfUser(current) !== undefined) return current;
    await this.records.remove(login.id, signal);
    throw ended();
  }

  /** While the provider is down, groups that are at most a day old count. */
  async #askGroups({ value }: Stored<CliLogin>, user: User, signal: AbortSignal): Promise<User | undefined> {
    const { clock, groups, logger } = this.#options;
    try {
      return await groups.ask(user, signal);
    } catch (error) {
      signal.throwIfAborted();
      logger.warn("failed to ask an identity provider for groups", {
        user: user.metadata.name,
        error: describeError(error),
      });
      if (clock.now().getTime() < groupsEndMsOf(value, user)) return user;
      throw new RouteProblem("UNAVAILABLE", "the identity provider does not report your groups", {
        hint: "Try again later.",
      });
    }
  }

  async #rotate(
    found: Stored<CliLogin>,
    { user, now }: { readonly user: User; readonly now: Date },
    signal: AbortSignal,
  ): Promise<BegunLogin> {
    const [access, refresh] = [newSecret(), newSecret()];
    try {
      const login = await this.records.replace(found, rotated(found.value, { access, refresh, now }), signal);
      return { login, credentials: await this.#credentials({ login, user, access, refresh }, signal) };
    } catch (error) {
      throw error instanceof Conflict ? raced() : error;
    }
  }

  /** Ends the sign-in of a refresh token; returns it, or undefined if there is none. */
  async revoke(token: string, signal: AbortSignal): Promise<Stored<CliLogin> | undefined> {
    const parts = readToken(refreshPrefix, token);
    const found = parts && (await this.records.find(parts.id, signal));
    if (parts === undefined || found === undefined) return undefined;
    // An expired sign-in is removed as well, so its end does not matter.
    const now = this.#options.clock.now();
    const verdict = judgeRefresh(found.value, parts.secret, { now, end: new Date(now.getTime() + 1) });
    if (verdict === "unknown") return undefined;
    await this.records.remove(found.id, signal);
    return found;
  }

  /** All sign-ins of a user, newest first. */
  ofUser(uid: string): Stored<CliLogin>[] {
    return this.records
      .list()
      .filter(({ value }) => value.userUid === uid)
      .sort((left, right) => (left.value.createdAt < right.value.createdAt ? 1 : -1));
  }

  /** The account of a sign-in, with the same uid, not disabled, and with an existing provider. */
  userOf({ userName, userUid }: Pick<CliLogin, "userName" | "userUid">): User | undefined {
    const { state } = this.#options;
    const user = state.users.get({ name: userName });
    const isSame = user?.metadata.uid === userUid && callerOfUser(user) !== undefined;
    return isSame && state.isProviderThere(user) ? user : undefined;
  }

  /** Authenticates a request with the access token of a command line; undefined for every other request. */
  readonly authenticate: Authenticator = async ({ headers }) => {
    const header = headers["authorization"];
    const parts = typeof header === "string" ? readToken(accessPrefix, header.replace(/^Bearer /i, "")) : undefined;
    if (parts === undefined) return undefined;
    const known = this.records.known(parts.id);
    // A token just issued by another replica may not be in the cache yet.
    const isKnown = known !== undefined && this.#accountOf(known, parts.secret) !== undefined;
    const login = isKnown ? known : await this.records.find(parts.id);
    const user = login && this.#accountOf(login, parts.secret);
    const caller = user && callerOfUser(user);
    if (login === undefined || user === undefined || caller === undefined) return undefined;
    const { displayName, avatar } = user.spec;
    return { ...caller, displayName, picture: avatar, sessionId: sessionPrefix + login.id };
  };

  /** Removes expired sign-ins. */
  async sweep(signal: AbortSignal): Promise<void> {
    const now = this.#options.clock.now();
    for (const { id, value } of this.records.list()) {
      const user = this.#options.state.users.get({ name: value.userName });
      const isOver = user === undefined || now >= this.endOf(value, user);
      if (isOver) await this.records.remove(id, signal);
    }
  }

  /** The account that an access token belongs to; undefined if the token is not valid. */
  #accountOf({ value }: Stored<CliLogin>, secret: string): User | undefined {
    const user = this.userOf(value);
    if (user === undefined) return undefined;
    const times = { now: this.#options.clock.now(), end: this.endOf(value, user) };
    return isAccess(value, secret, times) ? user : undefined;
  }

  async #credentials(
    {
      login,
      user,
      access,
      refresh,
    }: { login: Stored<CliLogin>; user: User; readonly access: string; readonly refresh: string },
    signal: AbortSignal,
  ): Promise<CliCredentials> {
    const { client, clock, kubernetes } = this.#options;
    const end = this.endOf(login.value, user);
    const nowMs = clock.now().getTime();
    const accessSeconds = Math.min(
      cliLifetimes.accessSeconds,
      Math.max(0, Math.floor((end.getTime() - nowMs) / 1_000)),
    );
    const uid = user.metadata.uid ?? "";
    const namespace = cliNamespaceOf(callerOfUser(user)?.platformRole);
    // A token that is valid for longer than its sign-in ends with the ServiceAccount, which the sweep removes.
    const seconds = Math.max(leastTokenSeconds, accessSeconds);
    const token = await requestAccountToken({ client, clock, signal }, { uid, namespace, seconds });
    return {
      access_token: tokenText(accessPrefix, login.id, access),
      token_type: "Bearer",
      expires_in: accessSeconds,
      expires_at: new Date(nowMs + accessSeconds * 1_000).toISOString(),
      refresh_token: tokenText(refreshPrefix, login.id, refresh),
      refresh_expires_at: end.toISOString(),
      kubernetes: { server: kubernetes.server, certificate_authority: kubernetes.caPem, token },
      kubeconfig: kubeconfigText(kubernetes, token),
      user: { email: user.spec.email, name: user.spec.displayName || user.spec.email },
    };
  }
}

/** The sign-in of a command line that a request belongs to; undefined when it belongs to a browser's session. */
export function cliLoginOf({ sessionId }: Pick<SignedIn, "sessionId">): string | undefined {
  return sessionId?.startsWith(sessionPrefix) === true ? sessionId.slice(sessionPrefix.length) : undefined;
}

function ended(): RouteProblem {
  return new RouteProblem("INVALID_GRANT", "the CLI session has ended", { hint: "Sign in again: butlerctl login" });
}

function raced(): RouteProblem {
  return new RouteProblem("CONFLICT", "the refresh token was just used by another request", {
    hint: "Use the credentials that the other request received.",
  });
}
