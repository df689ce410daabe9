import type { TenantCluster } from "@butler/api";
import { describeError } from "@butler/std";
import { type FactsSource, readFacts, why } from "@butler/diagnosis";
import type { Explanation } from "./tabs/tab.ts";

/** Diagnoses a cluster. Errors are returned, never thrown. */
export async function explain(source: FactsSource, cluster: TenantCluster, now: Date): Promise<Explanation> {
  try {
    return { state: "found", finding: why(await readFacts(source, cluster, now)) };
  } catch (error) {
    return { state: "failed", why: describeError(error) };
  }
}
