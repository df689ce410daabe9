import type { KubeObject } from "@butler/resource";
import { isRecord, valueAt } from "@butler/std";

/** Plain data of unchecked shape: objects of kinds that are not Butler's, as the API server returns them. */
export type Data = Readonly<Record<string, unknown>>;

/** A statement in an object's status; unlike our own kinds, others may leave reason and message out. */
export interface LooseCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The map at a path, or an empty one: code that reads foreign objects must tolerate missing fields. */
export function mapAt(value: unknown, ...path: readonly string[]): Data {
  const found = valueAt(value, path);
  return isRecord(found) ? found : {};
}

/** The list at a path, or an empty one. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}

/** The text at a path, or the empty one. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : "";
}

/** The number at a path, if there is one. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, path);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** A count at a path; Kubernetes leaves counts out that are zero. */
export function countAt(value: unknown, ...path: readonly string[]): number {
  return numberAt(value, ...path) ?? 0;
}

/** The conditions in an object's status. */
export function conditionsOf(object: KubeObject): readonly LooseCondition[] {
  return listAt(object, "status", "conditions").map((condition) => ({
    type: textAt(condition, "type"),
    status: textAt(condition, "status"),
    reason: textAt(condition, "reason"),
    message: textAt(condition, "message"),
  }));
}

/** The condition of a type that holds. */
export function holding(object: KubeObject, type: string): LooseCondition | undefined {
  return conditionsOf(object).find((condition) => condition.type === type && condition.status === "True");
}

/** The text of a condition: its message, else its reason, else its type. */
export function wordsOf({ type, status, reason, message }: LooseCondition): string {
  return brief(message) || reason || `${type} is ${status || "unknown"}`;
}

/** The API group of an object; the empty string for the core group. */
export function groupOf({ apiVersion }: Pick<KubeObject, "apiVersion">): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

const longestText = 240;

/** A foreign text for use in a sentence: on one line and shortened. */
export function brief(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const short = line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line;
  return short.replace(/\.$/, "");
}
