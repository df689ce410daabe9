import type { DynamicObject } from "@butler/resource";
import { isRecord, type JsonObject } from "@butler/std";

/** A node of a tenant cluster, for display. */
export interface NodeView {
  readonly name: string;
  readonly status: "Ready" | "NotReady" | "Unknown";
  readonly roles: string[];
  readonly version: string;
  readonly internalIP: string;
  readonly os: string;
  readonly containerRuntime: string;
  readonly cpu: string;
  readonly memory: string;
  /** Creation time. */
  readonly age: string;
}

/** An event, for display. */
export interface EventView {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly source: string;
  /** Kind and name. */
  readonly object: string;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly count: number;
}

const partIn = (parent: JsonObject, name: string): JsonObject => (isRecord(parent[name]) ? parent[name] : {});
const textIn = (parent: JsonObject, name: string): string => (typeof parent[name] === "string" ? parent[name] : "");
const listIn = (parent: JsonObject, name: string): JsonObject[] =>
  Array.isArray(parent[name]) ? (parent[name] as unknown[]).filter(isRecord) : [];

const rolePrefix = "node-role.kubernetes.io/";
const readiness = { True: "Ready", False: "NotReady" } as const;

/** A node's status. It comes from the tenant and is untrusted: every field is read as text. */
export function showNode(node: DynamicObject): NodeView {
  const { metadata } = node;
  const status = partIn(node, "status");
  const info = partIn(status, "nodeInfo");
  const capacity = partIn(status, "capacity");
  const ready = listIn(status, "conditions").find((condition) => condition["type"] === "Ready");
  const address = listIn(status, "addresses").find((each) => each["type"] === "InternalIP");
  const state = ready?.["status"];
  return {
    name: metadata.name,
    status: state === "True" || state === "False" ? readiness[state] : "Unknown",
    roles: Object.keys(metadata.labels ?? {}).flatMap((key) =>
      key.startsWith(rolePrefix) ? [key.slice(rolePrefix.length)] : [],
    ),
    version: textIn(info, "kubeletVersion"),
    internalIP: address === undefined ? "" : textIn(address, "address"),
    os: textIn(info, "osImage"),
    containerRuntime: textIn(info, "containerRuntimeVersion"),
    cpu: textIn(capacity, "cpu"),
    memory: textIn(capacity, "memory"),
    age: metadata.creationTimestamp ?? "",
  };
}

/** An event, in either of Kubernetes' two formats. */
export function showEvent(event: DynamicObject): EventView {
  const involved = partIn(event, "involvedObject");
  const series = partIn(event, "series");
  const first = textIn(event, "firstTimestamp") || textIn(event, "eventTime") || event.metadata.creationTimestamp;
  const last = textIn(series, "lastObservedTime") || textIn(event, "lastTimestamp") || first;
  const count = series["count"] ?? event["count"];
  return {
    type: textIn(event, "type"),
    reason: textIn(event, "reason"),
    message: textIn(event, "message"),
    source: textIn(event, "reportingComponent") || textIn(partIn(event, "source"), "component"),
    object: `${textIn(involved, "kind")} ${textIn(involved, "name")}`.trim(),
    ...(first === undefined ? {} : { firstTimestamp: first }),
    ...(last === undefined ? {} : { lastTimestamp: last }),
    count: typeof count === "number" ? count : 1,
  };
}

/** Whether an event involves the object of that kind and name. */
export function isAbout(event: DynamicObject, kind: string, name: string): boolean {
  const involved = partIn(event, "involvedObject");
  return involved["kind"] === kind && involved["name"] === name;
}
