import type { TenantCluster } from "@butler/api";
import { describeError } from "@butler/std";
import { type FactsSource, readFacts, why } from "@butler/why";
import type { Explanation } from "./tabs/tab.ts";

/** Finds out why a cluster is as it is. What goes wrong is told, and never thrown. */
export async function explain(source: FactsSource, cluster: TenantCluster, now: Date): Promise<Explanation> {
  try {
    return { state: "found", finding: why(await readFacts(source, cluster, now)) };
  } catch (error) {
    return { state: "failed", why: describeError(error) };
  }
}
