import { Team, User } from "@butler/api";
import { defineSingleton, isApplied, type PolicyRule, watching, withAppliedNote } from "@butler/controller";
import type { KubeClient } from "@butler/kube";
import { builtinKinds, kindId, rbacGroup } from "@butler/resource";
import { impersonationControllerName, peopleRoleName } from "./names.ts";
import { namesIn, planPeople, traceOf } from "./plan.ts";

const { ClusterRole } = builtinKinds;

/** Dependencies of the sync. */
export interface ImpersonationPorts {
  readonly client: Pick<KubeClient, "apply">;
}

/** With email addresses of typical length, one object holds 1.5 times as many. */
const manyNames = 20_000;

const permission: PolicyRule = {
  apiGroups: [rbacGroup],
  resources: [ClusterRole.plural],
  resourceNames: [peopleRoleName],
  // RBAC prevents granting permissions that the grantor lacks; `escalate` lifts that for this one role only.
  verbs: ["create", "escalate", "get", "list", "patch", "watch"],
};

/** Syncs the role with users and teams. */
export const impersonationSingleton = defineSingleton<ImpersonationPorts>({
  name: impersonationControllerName,
  watches: [
    watching(User, {
      matters: (event) => event.type !== "update" || traceOf(event.object) !== traceOf(event.previous),
    }),
    watching(Team, { matters: ({ type }) => type !== "update" }),
    // Only the one role, so that the watch permission can be limited to its name.
    watching(ClusterRole, { scope: { fieldSelector: `metadata.name=${peopleRoleName}` } }),
  ],
  permissions: [permission],
  settleMs: 100,
  pauseMs: 400,
  backoff: { initialMs: 200, maximumMs: 30_000, factor: 2, jitter: 0.3 },
  failure: {
    message: "cannot sync the server's impersonation role",
    hint: "until it is synced, the server cannot impersonate new users but can still impersonate disabled users",
  },
  reconcile: async ({ read, ports, logger, signal, act, noteWrite }) => {
    const { role, leftOut } = planPeople({ users: read.list(User), teams: read.list(Team) });
    const live = read.get(ClusterRole, { name: peopleRoleName });
    if (live !== undefined && isApplied(live, role, impersonationControllerName)) return;
    const names = namesIn(role);
    const hint = "delete or disable unused accounts: a ClusterRole cannot list many more names";
    if (leftOut > 0)
      logger.error("impersonation role full: the server cannot impersonate all users", { names, leftOut, hint });
    else if (names > manyNames) logger.warn("impersonation role nearly full", { names, hint });
    const fieldManager = `butler-${impersonationControllerName}`;
    const written = await act({ verb: "apply", target: `${kindId(ClusterRole)} ${peopleRoleName}` }, () =>
      ports.client.apply(ClusterRole, withAppliedNote(role, impersonationControllerName), { fieldManager, signal }),
    );
    noteWrite(ClusterRole, written);
    logger.info("updated the server's impersonation role", { names });
  },
});
