import { callerOfUser, memberRoleOf } from "@butler/access";
import type { User } from "@butler/api";
import type { startDevice } from "@butler/contract";
import type { RouteAnswer } from "@butler/contract";
import type { ApiClient } from "@butler/kube";
import { type Clock, Conflict } from "@butler/std";
import type { CliLogin } from "../cli-access/login.ts";
import type { BegunLogin, CliLogins } from "../cli-access/logins.ts";
import { SecretRecords, type Stored } from "../cli-access/secret-records.ts";
import { hashOf, newSecret } from "../cli-access/secrets.ts";
import { RouteProblem } from "../../http/problem.ts";
import { type RateLimit, RateLimiter } from "../../http/rate-limit.ts";
import type { ServerState } from "../../state/state.ts";
import { newUserCode, normaliseUserCode } from "./codes.ts";
import { deviceGrant, type DeviceGrant, deviceTimes, judgePoll } from "./grant.ts";
import { LastPolls } from "./last-polls.ts";

/** Options of the device flow. */
export interface DeviceFlowOptions {
  readonly client: ApiClient;
  readonly state: ServerState;
  readonly clock: Clock;
  readonly logins: CliLogins;
  /** The console's address, without a slash at the end. */
  readonly publicUrl: string;
  /** Rate limit for code attempts per user. */
  readonly codeLimit?: RateLimit;
}

/** Maximum number of pending sign-ins. */
const mostWaiting = 1_000;

/** Maximum number of pending sign-ins per address, so that one client cannot block the others. */
const mostWaitingFromOne = 20;
const defaultCodeLimit: RateLimit = { burst: 6, perSecond: 1 / 20 };

/** The device flow of RFC 8628. All state is in Secrets: any replica can continue where another one left off. */
export class DeviceFlow {
  readonly logins: CliLogins;
  readonly records: SecretRecords<DeviceGrant>;
  readonly #options: DeviceFlowOptions;
  readonly #attempts: RateLimiter;
  readonly #polls: LastPolls;

  constructor(options: DeviceFlowOptions) {
    const { client, state, clock, logins, codeLimit = defaultCodeLimit } = options;
    this.#options = options;
    this.logins = logins;
    this.records = new SecretRecords({ client, caches: state.caches }, { name: "cli-device", schema: deviceGrant });
    this.#attempts = new RateLimiter(codeLimit, clock);
    this.#polls = new LastPolls(clock);
  }

  /** Starts a sign-in. */
  async start(
    { clientName, sourceAddress }: Pick<DeviceGrant, "clientName" | "sourceAddress">,
    signal: AbortSignal,
  ): Promise<RouteAnswer<typeof startDevice>> {
    const { clock, publicUrl } = this.#options;
    const { lifeSeconds, intervalSeconds } = deviceTimes;
    const waiting = this.records.list();
    const fromThere = waiting.filter(({ value }) => value.sourceAddress === sourceAddress);
    if (waiting.length >= mostWaiting || fromThere.length >= mostWaitingFromOne) {
      throw new RouteProblem("RATE_LIMITED", "too many pending CLI sign-ins", { retryAfterSeconds: 60 });
    }
    const [deviceCode, userCode, now] = [newSecret(), newUserCode(), clock.now()];
    const value: DeviceGrant = {
      userCodeHash: hashOf(normaliseUserCode(userCode)),
      clientName,
      sourceAddress,
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + lifeSeconds * 1_000).toISOString(),
      state: "pending",
    };
    await this.records.create(idOf(deviceCode), value, signal);
    const page = `${publicUrl}/auth/device`;
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: lifeSeconds,
      interval: intervalSeconds,
    };
  }

  /** Returns the credentials once approved; otherwise throws the error that RFC 8628 defines. */
  async poll(deviceCode: string, signal: AbortSignal): Promise<BegunLogin> {
    const id = idOf(deviceCode);
    const found = await this.records.find(id, signal);
    const user = found?.value.approval && this.logins.userOf(found.value.approval);
    const verdict = judgePoll(found?.value, {
      now: this.#options.clock.now(),
      sinceLastMs: this.#polls.since(id),
      grantsNow: user && this.grantsOf(user),
    });
    if (found === undefined) throw problems.EXPIRED_TOKEN();
    if (verdict === "ACCESS_DENIED") await this.records.remove(id, signal);
    if (verdict !== "GRANT" || user === undefined) throw problems[verdict === "GRANT" ? "ACCESS_DENIED" : verdict]();
    const { clientName, sourceAddress } = found.value;
    const begun = await this.logins.begin({ user, clientName, sourceAddress }, signal);
    // The request that removes the record gets the credentials: a code is valid once.
    if (await this.records.take(found, signal)) return begun;
    await this.logins.records.remove(begun.login.id);
    throw problems.EXPIRED_TOKEN();
  }

  /** The sign-in request of a code. Attempts are limited per user, because short codes can be guessed. */
  async findByUserCode(
    userCode: string,
    { asker, signal }: { readonly asker: string; readonly signal: AbortSignal },
  ): Promise<Stored<DeviceGrant>> {
    const wait = this.#attempts.secondsToWait(asker);
    if (wait !== undefined) {
      throw new RouteProblem("RATE_LIMITED", "too many attempts to enter a code", { retryAfterSeconds: wait });
    }
    const hash = hashOf(normaliseUserCode(userCode));
    // Not from the cache, which may lag behind other replicas.
    const found = (await this.records.listNow(signal)).find(({ value }) => value.userCodeHash === hash);
    const isOver = found === undefined || this.#options.clock.now() >= new Date(found.value.expiresAt);
    if (isOver) {
      throw new RouteProblem("NOT_FOUND", "no pending sign-in for this code", {
        hint: "Check the code. It expires after ten minutes; to get a new one, run the login command again.",
      });
    }
    return found;
  }

  /** Stores the user's decision, once. */
  async decide(
    asked: Stored<DeviceGrant>,
    { user, decision }: { readonly user: User; readonly decision: "approved" | "denied" },
    signal: AbortSignal,
  ): Promise<DeviceGrant> {
    const taken = new RouteProblem("CONFLICT", "the sign-in request was already approved or denied");
    if (asked.value.state !== "pending") throw taken;
    const { name: userName, uid: userUid = "" } = user.metadata;
    const approval = { userName, userUid, grants: this.grantsOf(user) };
    const value = { ...asked.value, state: decision, ...(decision === "approved" ? { approval } : {}) };
    try {
      return (await this.records.replace(asked, value, signal)).value;
    } catch (error) {
      throw error instanceof Conflict ? taken : error;
    }
  }

  /** The roles of a user as displayed and compared: `payments: operator`. */
  grantsOf(user: User): string[] {
    const caller = callerOfUser(user);
    if (caller === undefined) return [];
    const ofTeams = this.#options.state.teams.list().flatMap((team) => {
      const role = memberRoleOf(team, caller.person);
      return role === undefined ? [] : [`${team.metadata.name}: ${role}`];
    });
    return [...(caller.platformRole === undefined ? [] : [`platform: ${caller.platformRole}`]), ...ofTeams.sort()];
  }

  emailOf(login: CliLogin): string {
    return this.logins.userOf(login)?.spec.email ?? "";
  }

  /** Removes expired codes. */
  async sweep(signal: AbortSignal): Promise<void> {
    const now = this.#options.clock.now();
    for (const { id, value } of this.records.list()) {
      if (now >= new Date(value.expiresAt)) await this.records.remove(id, signal);
    }
  }
}

/** The Secret's name is derived from the hash, so that it does not reveal the code. */
function idOf(deviceCode: string): string {
  return hashOf(deviceCode).slice(0, 48);
}

const problems = {
  EXPIRED_TOKEN: () =>
    new RouteProblem("EXPIRED_TOKEN", "the code expired or was already used", {
      hint: "Sign in again: butlerctl login",
    }),
  SLOW_DOWN: () =>
    new RouteProblem("SLOW_DOWN", "polling faster than the interval", {
      retryAfterSeconds: deviceTimes.intervalSeconds,
    }),
  ACCESS_DENIED: () =>
    new RouteProblem("ACCESS_DENIED", "the sign-in was denied, or your roles changed after approval", {
      hint: "Sign in again: butlerctl login",
    }),
  AUTHORIZATION_PENDING: () => new RouteProblem("AUTHORIZATION_PENDING", "the sign-in is waiting for approval"),
} as const;
