import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { LeaderElection, type LeaderElectionOptions, LeadershipLost, type LeaseClient } from "@butler/kube";
import type { Role } from "./role.ts";

/** Whom a process contends with, and how it goes about it. */
export type ElectedRoleOptions = Omit<LeaderElectionOptions, "identity">;

/**
 * A role that works only while its process leads. A process that has lost its turn ends, because what a role has built up
 * is not to be used twice; Kubernetes starts it again, and it waits for its next turn.
 */
export function electedRole(role: Role, options: ElectedRoleOptions): Role {
  const { client, hasAnswered } = noticing(options.client);
  // A pod's name alone would be shared by a container and the one that it replaces.
  const identity = `${hostname()}_${randomUUID()}`;
  const election = new LeaderElection({ ...options, client, identity });
  const run = async (signal: AbortSignal): Promise<void> => {
    const over = new AbortController();
    await election.run(AbortSignal.any([signal, over.signal]), async (leading) => {
      try {
        await role.run(leading);
      } finally {
        // A role that ended by itself ends the election, too, and with its own outcome.
        if (leading.aborted) over.abort();
      }
    });
    if (over.signal.aborted && !signal.aborted) throw new LeadershipLost(`no longer leader of ${options.name}`);
  };
  // Those who wait are ready to take over: without them a rollout would never end.
  return { run, isReady: () => (election.isLeader ? role.isReady() : hasAnswered()) };
}

/** A client that knows whether the server has ever told it about the Lease. */
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
