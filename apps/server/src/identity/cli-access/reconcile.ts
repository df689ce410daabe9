import { callerOfUser, cliGrantsOf } from "@butler/access";
import { namespaces, type TenantCluster, type User } from "@butler/api";
import type { ApiClient, Informer } from "@butler/kube";
import { builtinKinds, type Kind, keyText } from "@butler/resource";
import { backoffDelayMs, type Clock, Conflict, describeError, NotFound } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import type { ServerState } from "../../state/state.ts";
import type { CliLogin } from "./login.ts";
import { cliAccountLabel, type CliPerson, type Planned, planCliAccess } from "./plan.ts";
import type { SecretRecords } from "./secret-records.ts";

const { ServiceAccount, RoleBinding, ClusterRoleBinding } = builtinKinds;
const ownKinds = [RoleBinding, ClusterRoleBinding, ServiceAccount] as const;

/** Debounce interval: changes in close succession are handled together. */
const settleMs = 20;
const backoff = { initialMs: 200, maximumMs: 15_000, factor: 2, jitter: 0.3 } as const;

/** Options of the reconciliation. */
export interface CliAccountsOptions {
  readonly client: ApiClient;
  readonly state: ServerState;
  readonly logins: SecretRecords<CliLogin>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reconciles the ServiceAccounts of command lines and their bindings with users and teams. Every replica does it: all
 * compute the same result, so that no leader election delays the removal of a role.
 */
export class CliAccounts {
  readonly #options: CliAccountsOptions;
  readonly #informers: readonly { readonly kind: Kind; readonly informer: Informer<Kind> }[];
  #isWanted = false;
  #isRunning = false;
  #failures = 0;
  #signal: AbortSignal | undefined;

  constructor(options: CliAccountsOptions) {
    this.#options = options;
    this.#informers = ownKinds.map((kind) => ({
      kind,
      informer: options.state.caches.of(kind, {
        labelSelector: cliAccountLabel,
        ...(kind === ServiceAccount ? { namespace: namespaces.system } : {}),
      }),
    }));
  }

  /** Starts; the caches must be filled. Stops when the signal aborts. */
  start(signal: AbortSignal): void {
    const { state, logins } = this.#options;
    this.#signal = signal;
    const wake = (): void => this.#wake();
    const stops = [
      state.teams.addHandler(wake),
      state.users.addHandler(wake),
      state.identityProviders.addHandler(wake),
      logins.informer.addHandler(wake),
      ...this.#informers.map(({ informer }) => informer.addHandler(wake)),
      // Clusters update their status all the time; only their team and namespace matter here.
      state.clusters.addHandler((event) => {
        if (event.type !== "update" || placeOf(event.object, state) !== placeOf(event.previous, state)) wake();
      }),
    ];
    signal.addEventListener("abort", () => stops.forEach((stop) => stop()), { once: true });
    wake();
  }

  #wake(delayMs: number = settleMs): void {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#options.clock.after(delayMs, () => void this.#run());
  }

  async #run(): Promise<void> {
    this.#isWanted = false;
    const isDone = this.#signal?.aborted === true || (await this.#pass());
    this.#isRunning = false;
    this.#failures = isDone ? 0 : this.#failures + 1;
    if (this.#signal?.aborted === true) return;
    if (!isDone) this.#wake(backoffDelayMs(backoff, this.#failures, Math.random));
    else if (this.#isWanted) this.#wake();
  }

  /** Applies the plan; false if a change failed. */
  async #pass(): Promise<boolean> {
    const { client, logger, state } = this.#options;
    const { remove, create } = planCliAccess(this.#people(), this.#existing());
    const attempts = [
      ...remove.map((planned) => ({ planned, run: () => this.#remove(planned) })),
      ...create.map((planned) => ({
        planned,
        run: async () => state.caches.noteWrite(planned.kind, await client.create(planned.kind, planned.object)),
      })),
    ];
    let isDone = true;
    for (const { planned, run } of attempts) {
      try {
        await run();
      } catch (error) {
        // Another replica was faster: its change arrives in the cache soon.
        if (error instanceof Conflict) continue;
        isDone = false;
        const what = `${planned.kind.kind} ${keyText(planned.object.metadata)}`;
        logger.warn("failed to reconcile the access of a command line", { what, error: describeError(error) });
      }
    }
    return isDone;
  }

  async #remove({ kind, object }: Planned): Promise<void> {
    const { name, namespace, uid, deletionTimestamp } = object.metadata;
    if (deletionTimestamp !== undefined) return;
    try {
      await this.#options.client.delete(kind, { name, namespace }, { uid });
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }

  #people(): CliPerson[] {
    const { state, logins } = this.#options;
    const signedIn = new Set(logins.list().map(({ value }) => value.userUid));
    const facts = {
      teams: state.teams.list(),
      clustersOf: (team: string) => state.clustersOf(team),
      environmentOf: (cluster: TenantCluster) => state.environmentOf(cluster),
    };
    return state.users.list().flatMap((user: User) => {
      const { uid = "" } = user.metadata;
      if (!signedIn.has(uid) || callerOfUser(user) === undefined || !state.isProviderThere(user)) return [];
      return [{ uid, email: user.spec.email, grants: cliGrantsOf(user, facts) }];
    });
  }

  #existing(): Planned[] {
    return this.#informers.flatMap(({ kind, informer }) => informer.list().map((object) => ({ kind, object })));
  }
}

function placeOf(cluster: TenantCluster, state: ServerState): string {
  return [cluster.spec.teamRef?.name, cluster.status?.tenantNamespace, state.environmentOf(cluster)].join("/");
}
