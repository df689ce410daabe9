import { AlreadyExists, type KubeClient, listAll } from "@butler/kube";
import { apiVersionOf, builtinKinds } from "@butler/resource";
import { type Clock, isRecord, ignoreNotFound } from "@butler/std";
import type { TicketUses } from "./ports.ts";

/** Options of the records of used tickets. */
export interface TicketUsesOptions {
  readonly client: Pick<KubeClient, "create" | "delete" | "list">;
  readonly namespace: string;
  readonly clock: Clock;
}

const label = "butler.butlerlabs.dev/live-ticket";
const requestTimeoutMs = 5_000;

/**
 * Records used tickets as Leases, visible to all servers: of two servers with the same ticket, only one can create the
 * Lease. It is deleted by the sweep after the ticket has expired.
 */
export function leaseTicketUses({ client, namespace }: TicketUsesOptions): TicketUses {
  const kind = builtinKinds.Lease;
  return {
    claim: async (id, until) => {
      const name = `butler-live-${id}`;
      const object = {
        apiVersion: apiVersionOf(kind),
        kind: kind.kind,
        metadata: { name, namespace, labels: { [label]: "used" } },
        spec: { acquireTime: until.toISOString().replace("Z", "000Z") },
      };
      try {
        await client.create(kind, object, {
          fieldManager: "butler-server",
          signal: AbortSignal.timeout(requestTimeoutMs),
        });
      } catch (error) {
        if (error instanceof AlreadyExists) return false;
        throw error;
      }
      return true;
    },
  };
}

/** Maximum clock skew between servers. */
const graceMs = 60_000;

/** Deletes the records of expired tickets of all replicas. */
export async function sweepTicketUses({ client, namespace, clock }: TicketUsesOptions): Promise<number> {
  const kind = builtinKinds.Lease;
  const now = clock.now().getTime();
  let swept = 0;
  for await (const { metadata, ...body } of listAll(client, kind, { namespace, labelSelector: `${label}=used` })) {
    const spec = isRecord(body["spec"]) ? body["spec"] : {};
    const until = typeof spec["acquireTime"] === "string" ? Date.parse(spec["acquireTime"]) : 0;
    if (until + graceMs > now) continue;
    await client.delete(kind, { name: metadata.name, namespace }).catch(ignoreNotFound);
    swept++;
  }
  return swept;
}
