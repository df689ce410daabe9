import type { KubeObject } from "@butler/resource";
import { conditionsOf, holding, wordsOf } from "./fields.ts";
import { failed, progressing, type Readiness, ready } from "./readiness.ts";

/** Conditions that mean, when true, that waiting does not help. */
const bad = ["Stalled", "Failed"];

/** Conditions that mean, when true, that the object is healthy, most significant first. */
const good = ["Ready", "Available", "Established", "Healthy", "Synced"];

/** Judges an object of any kind by the conditions that most controllers agree on; without them, existing is enough. */
export function readinessByConditions(object: KubeObject): Readiness {
  const conditions = conditionsOf(object);
  for (const type of bad) {
    const found = holding(object, type);
    if (found !== undefined) return failed(wordsOf(found));
  }
  const reconciling = holding(object, "Reconciling");
  if (reconciling !== undefined) return progressing(wordsOf(reconciling));
  const stated = good.flatMap((type) => conditions.filter((condition) => condition.type === type));
  const lacking = stated.find(({ status }) => status !== "True");
  if (lacking !== undefined) return progressing(`not ${lacking.type.toLowerCase()}: ${wordsOf(lacking)}`);
  const [best] = stated;
  return ready(best === undefined ? "exists" : best.type.toLowerCase());
}
