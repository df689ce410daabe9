import { TenantCluster } from "@butler/api";
import { explainRefusal } from "@butler/changes";
import { type Terminal, UsageError } from "@butler/cli-kit";
import type { Session } from "@butler/cli-session";
import type { Decision, Refusal } from "@butler/cluster-operations";
import { blockerText, keyOf } from "@butler/resource";
import { InvalidInput } from "@butler/std";

/** The context of an operation. */
export interface Operating {
  readonly terminal: Terminal;
  readonly session: Pick<Session, "client" | "signal">;
  readonly options: { readonly dryRun?: boolean };
}

/** Sends the patch of an operation, and returns the cluster afterwards; undefined if there is nothing to do. */
export async function operate(
  { terminal, session: { client, signal }, options: { dryRun } }: Operating,
  { cluster, decision, what }: { readonly cluster: TenantCluster; readonly decision: Decision; readonly what: string },
): Promise<TenantCluster | undefined> {
  if (decision.state === "refused") throw errorOf(decision.refusal);
  if (decision.state === "unchanged") {
    terminal.say(`${decision.message}.`);
    return undefined;
  }
  try {
    return await client.patch(TenantCluster, keyOf(cluster), {
      type: "json",
      patch: decision.patch,
      fieldManager: "butlerctl",
      dryRun,
      signal,
    });
  } catch (error) {
    throw explainRefusal(`${what} ${cluster.metadata.name}`, error);
  }
}

/** A number outside of the valid range is a mistake in the command, with the exit code of one. */
function errorOf(refusal: Refusal): Error {
  const message = blockerText(refusal);
  if (refusal.field !== "replicas") return new InvalidInput(message);
  const hint = 'To delete the cluster, use "butlerctl cluster destroy".';
  return new UsageError(message, refusal.reason === "MINIMUM" ? { hint } : {});
}
