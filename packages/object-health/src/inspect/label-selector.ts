import type { KubeObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import { listAt, mapAt, textAt } from "../objects/fields.ts";

/** The selector by which a workload knows its pods, as the API takes it; undefined when it has none that says anything. */
export function podSelectorOf(workload: KubeObject): string | undefined {
  const selector = mapAt(workload, "spec", "selector");
  const labels = Object.entries(mapAt(selector, "matchLabels")).map(([key, value]) => `${key}=${String(value)}`);
  const expressions = listAt(selector, "matchExpressions").map(expressionText);
  if (expressions.includes(undefined)) return undefined;
  const parts = [...labels, ...expressions];
  return parts.length === 0 ? undefined : parts.join(",");
}

function expressionText(expression: unknown): string | undefined {
  if (!isRecord(expression)) return undefined;
  const key = textAt(expression, "key");
  const values = listAt(expression, "values").map(String).join(",");
  switch (textAt(expression, "operator")) {
    case "In":
      return `${key} in (${values})`;
    case "NotIn":
      return `${key} notin (${values})`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return undefined;
  }
}
