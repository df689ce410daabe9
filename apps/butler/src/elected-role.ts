import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { LeaderElection, type LeaderElectionOptions, LeadershipLost, type LeaseClient } from "@butler/kube";
import type { Role } from "./role.ts";

/** Settings of a leader election. */
export type ElectedRoleOptions = Omit<LeaderElectionOptions, "identity">;

/**
 * A role that runs only while its process is the leader. A process that has lost its leadership exits, because the
 * state of a role cannot be reused; Kubernetes restarts it, and it stands by again.
 */
export function electedRole(role: Role, options: ElectedRoleOptions): Role {
  const { client, hasAnswered } = noticing(options.client);
  // A pod's name alone would be shared by a container and its replacement.
  const identity = `${hostname()}_${randomUUID()}`;
  const election = new LeaderElection({ ...options, client, identity });
  const run = async (signal: AbortSignal): Promise<void> => {
    const over = new AbortController();
    await election.run(AbortSignal.any([signal, over.signal]), async (leading) => {
      try {
        await role.run(leading);
      } finally {
        // A role that ends on its own also ends the election, with its own outcome.
        if (leading.aborted) over.abort();
      }
    });
    if (over.signal.aborted && !signal.aborted) throw new LeadershipLost(`no longer leader of ${options.name}`);
  };
  // Standby processes are ready: otherwise a rollout would never complete.
  return {
    run,
    isReady: () => (election.isLeader ? role.isReady() : hasAnswered()),
    waitsFor: () => (election.isLeader ? (role.waitsFor?.() ?? []) : ["waiting for the first response of the cluster"]),
  };
}

/** A client that records whether the server has ever returned the Lease. */
function noticing(client: LeaseClient): { client: LeaseClient; hasAnswered: () => boolean } {
  let answered = false;
  const find: LeaseClient["find"] = async (kind, key, signal) => {
    const found = await client.find(kind, key, signal);
    answered = true;
    return found;
  };
  return {
    client: {
      find,
      create: (kind, object, options) => client.create(kind, object, options),
      replace: (kind, object, options) => client.replace(kind, object, options),
    },
    hasAnswered: () => answered,
  };
}
