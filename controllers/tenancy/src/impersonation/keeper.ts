import { Team, User } from "@butler/api";
import {
  type Interceptor,
  isApplied,
  passThrough,
  type PolicyRule,
  type RuntimeOptions,
  withAppliedNote,
} from "@butler/controller";
import type { CacheSet, Informer, KubeClient } from "@butler/kube";
import { builtinKinds, kindId, rbacGroup } from "@butler/resource";
import { backoffDelayMs, type BackoffPolicy, type Clock, describeError, sleep, systemClock } from "@butler/std";
import { type Logger, silentLogger } from "@butler/telemetry";
import { impersonationControllerName, peopleRoleName } from "./names.ts";
import { namesIn, type PeoplePlan, planPeople, traceOf } from "./plan.ts";

const { ClusterRole } = builtinKinds;

/** Only the one role, so that the watch permission can be limited to its name. */
const scope = { fieldSelector: `metadata.name=${peopleRoleName}` };

/** Batches changes: a delay before each write, and one after it. */
const settleMs = 100;
const pauseMs = 400;
const backoff: BackoffPolicy = { initialMs: 200, maximumMs: 30_000, factor: 2, jitter: 0.3 };

/** With email addresses of typical length, one object holds 1.5 times as many. */
const manyNames = 20_000;

const permission: PolicyRule = {
  apiGroups: [rbacGroup],
  resources: [ClusterRole.plural],
  resourceNames: [peopleRoleName],
  // RBAC prevents granting permissions that the grantor lacks; `escalate` lifts that for this one role only.
  verbs: ["create", "escalate", "get", "list", "patch", "watch"],
};

/** Kinds and permissions of PeopleRoleKeeper. */
export const impersonationController = {
  name: impersonationControllerName,
  primary: User,
  reads: [{ kind: Team }],
  permissions: [permission],
} as const;

/** Dependencies of PeopleRoleKeeper. */
export type PeopleRoleKeeperOptions = Omit<RuntimeOptions<never>, "ports" | "queue" | "metrics">;

/**
 * Syncs the role with users and teams. The role has no owner object, so this is not a regular controller:
 * each pass covers all users and teams, and a burst of changes results in a few writes.
 */
export class PeopleRoleKeeper {
  readonly #client: KubeClient;
  readonly #caches: CacheSet;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #intercept: Interceptor;
  readonly #users: Informer<typeof User>;
  readonly #teams: Informer<typeof Team>;
  readonly #role: Informer<typeof ClusterRole>;
  #hasChanged = true;
  #isBusy = false;
  #wake: () => void = () => undefined;

  constructor({ client, caches, clock, logger, intercept }: PeopleRoleKeeperOptions) {
    this.#client = client;
    this.#caches = caches;
    this.#clock = clock ?? systemClock;
    this.#logger = (logger ?? silentLogger).with({ controller: impersonationControllerName });
    this.#intercept = intercept ?? passThrough;
    this.#users = caches.of(User);
    this.#teams = caches.of(Team);
    this.#role = caches.of(ClusterRole, scope);
  }

  /** True when no change is pending. */
  get isIdle(): boolean {
    return !this.#hasChanged && !this.#isBusy;
  }

  /** Runs until the signal aborts. The caller must start the caches. */
  async run(signal: AbortSignal): Promise<void> {
    const note = (): void => this.#note();
    const stops = [
      this.#users.addHandler((event) => {
        if (event.type !== "update" || traceOf(event.object) !== traceOf(event.previous)) note();
      }),
      this.#teams.addHandler(({ type }) => {
        if (type !== "update") note();
      }),
      this.#role.addHandler(note),
    ];
    signal.addEventListener("abort", note, { once: true });
    for (let failures = 0; !signal.aborted;) {
      await this.#change();
      await this.#wait(settleMs, signal);
      if (signal.aborted) break;
      failures = (await this.#pass()) ? 0 : failures + 1;
      if (failures > 0) this.#hasChanged = true;
      await this.#wait(failures > 0 ? backoffDelayMs(backoff, failures) : pauseMs, signal);
    }
    for (const stop of stops) stop();
  }

  #note(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  async #change(): Promise<void> {
    if (this.#hasChanged) return;
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  async #wait(delayMs: number, signal: AbortSignal): Promise<void> {
    await sleep(this.#clock, delayMs, signal).catch(() => undefined);
  }

  /** Runs one pass; returns whether the role is in sync. */
  async #pass(): Promise<boolean> {
    this.#isBusy = true;
    this.#hasChanged = false;
    try {
      const plan = planPeople({ users: this.#users.list(), teams: this.#teams.list() });
      const live = this.#role.get({ name: peopleRoleName });
      if (live === undefined || !isApplied(live, plan.role, impersonationControllerName)) await this.#write(plan);
      return true;
    } catch (error) {
      const hint = "until it is synced, the server cannot act as new users and can still act as disabled ones";
      this.#logger.warn("cannot sync the server's impersonation role", { error: describeError(error), hint });
      return false;
    } finally {
      this.#isBusy = false;
    }
  }

  async #write({ role: desired, leftOut }: PeoplePlan): Promise<void> {
    const names = namesIn(desired);
    const hint = "delete or disable unused accounts: one Kubernetes object cannot hold many more";
    if (leftOut > 0)
      this.#logger.error("impersonation role full: the server cannot act as all users", { names, leftOut, hint });
    else if (names > manyNames) this.#logger.warn("impersonation role nearly full", { names, hint });
    const target = `${kindId(ClusterRole)} ${peopleRoleName}`;
    const written = await this.#intercept({ verb: "apply", target }, () =>
      this.#client.apply(ClusterRole, withAppliedNote(desired, impersonationControllerName), {
        fieldManager: `butler-${impersonationControllerName}`,
      }),
    );
    this.#caches.noteWrite(ClusterRole, written);
    this.#logger.info("updated the server's impersonation role", { names });
  }
}
