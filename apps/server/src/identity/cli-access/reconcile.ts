import { callerOfUser, cliGrantsOf } from "@butler/access";
import { IdentityProvider, Team, TenantCluster, User } from "@butler/api";
import { defineSingleton, type SingletonDefinition, type SingletonPass, watching } from "@butler/controller";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, isBeingDeleted, keyText } from "@butler/resource";
import { Conflict, describeError, NotFound, Unavailable } from "@butler/std";
import type { ServerState } from "../../state/state.ts";
import type { CliLogin } from "./login.ts";
import { cliAccountLabel, type CliPerson, type Planned, planCliAccess } from "./plan.ts";
import type { SecretRecords } from "./secret-records.ts";

const { ServiceAccount, RoleBinding, ClusterRoleBinding } = builtinKinds;
const ownKinds = [RoleBinding, ClusterRoleBinding, ServiceAccount] as const;

/** Options of the reconciliation. */
export interface CliAccountsOptions {
  readonly client: ApiClient;
  readonly state: ServerState;
  readonly logins: SecretRecords<CliLogin>;
}

/**
 * Reconciles the ServiceAccounts of command lines and their bindings with users and teams. Every replica does it: all
 * compute the same result, so that no leader election delays the removal of a role.
 */
export function cliAccountsSingleton(options: CliAccountsOptions): SingletonDefinition<object> {
  const { state, logins } = options;
  return defineSingleton({
    name: "cli-accounts",
    watches: [
      watching(Team),
      watching(User),
      watching(IdentityProvider),
      watching(logins.informer.kind, { scope: logins.informer.scope }),
      ...ownKinds.map((kind) => watching(kind, { scope: { labelSelector: cliAccountLabel } })),
      // Clusters update their status all the time; only their team and namespace matter here.
      watching(TenantCluster, {
        matters: (event) => event.type !== "update" || placeOf(event.object, state) !== placeOf(event.previous, state),
      }),
    ],
    settleMs: 20,
    backoff: { initialMs: 200, maximumMs: 15_000, factor: 2, jitter: 0.3 },
    failure: { message: "failed to reconcile CLI access" },
    reconcile: (pass) => reconcileAccounts(options, pass),
  });
}

/** Applies the plan, and fails if a change failed. */
async function reconcileAccounts(
  options: CliAccountsOptions,
  { read, logger, signal, act, noteWrite }: SingletonPass<object>,
): Promise<void> {
  const { client } = options;
  const existing = ownKinds.flatMap((kind) => read.list(kind).map((object) => ({ kind, object })));
  const { remove, create } = planCliAccess(cliPeople(options), existing);
  const attempts = [
    ...remove.map((planned) => ({
      verb: "remove" as const,
      planned,
      run: () => removeAccess(client, planned, signal),
    })),
    ...create.map((planned) => ({
      verb: "apply" as const,
      planned,
      run: async () => noteWrite(planned.kind, await client.create(planned.kind, planned.object, { signal })),
    })),
  ];
  let failures = 0;
  for (const { verb, planned, run } of attempts) {
    const what = `${planned.kind.kind} ${keyText(planned.object.metadata)}`;
    try {
      if (!isBeingDeleted(planned.object)) await act({ verb, target: what }, run);
    } catch (error) {
      // Another replica was faster: its change arrives in the cache soon.
      if (error instanceof Conflict) continue;
      signal.throwIfAborted();
      failures++;
      logger.warn("failed to reconcile the CLI access of an account", { what, error: describeError(error) });
    }
  }
  if (failures > 0) throw new Unavailable(`${failures} of ${attempts.length} changes failed`);
}

async function removeAccess(client: ApiClient, { kind, object }: Planned, signal: AbortSignal): Promise<void> {
  const { name, namespace, uid } = object.metadata;
  try {
    await client.delete(kind, { name, namespace }, { uid, signal });
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}

function cliPeople({ state, logins }: CliAccountsOptions): CliPerson[] {
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

function placeOf(cluster: TenantCluster, state: ServerState): string {
  return [cluster.spec.teamRef?.name, cluster.status?.tenantNamespace, state.environmentOf(cluster)].join("/");
}
