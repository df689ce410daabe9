import { TenantCluster } from "@butler/api";
import type { Decision, Refusal } from "@butler/cluster-operations";
import type { getCluster } from "@butler/contract";
import { blockerText, keyOf } from "@butler/resource";
import type { Call } from "../http/handler.ts";
import { RouteProblem } from "../http/problem.ts";
import { objectView } from "../views/object-view.ts";
import type { HandlerContext } from "./handler-context.ts";
import { changeObject } from "./writing.ts";

/** Changes a cluster as an operation decides, and returns the cluster. */
export async function operate(
  { state }: Pick<HandlerContext, "state">,
  { cluster, asPerson, signal }: Pick<Call<typeof getCluster>, "cluster" | "asPerson" | "signal">,
  decide: (current: TenantCluster) => Decision,
) {
  const key = keyOf(cluster);
  // Not from the cache: another replica may have just changed what the decision depends on.
  const current = await asPerson.get(TenantCluster, key, signal);
  const decision = decide(current);
  if (decision.state === "refused") throw problemOfRefusal(decision.refusal);
  if (decision.state === "unchanged") return objectView(current);
  const { patch } = decision;
  return objectView(await changeObject({ client: asPerson, state, signal }, TenantCluster, { key, patch }));
}

/** A refusal, as a problem with a cause. */
export function problemOfRefusal(refusal: Refusal): RouteProblem {
  const { field, reason } = refusal;
  const message = blockerText(refusal);
  return new RouteProblem("INVALID", message, { causes: [{ field, reason, message }] });
}
