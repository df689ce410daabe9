import type { DynamicObject } from "@butler/resource";
import { isRecord } from "@butler/std";

/** The contents of an event, independent of its source. */
export interface EventFacts {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** The involved object: kind and name. */
  readonly object: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly count: number;
  readonly lastSeen: string | undefined;
}

const known = new WeakMap<DynamicObject, EventFacts>();

/** Reads an event. Older and newer sources use different fields for the time and the count. */
export function eventFacts(event: DynamicObject): EventFacts {
  const found = known.get(event) ?? readEvent(event);
  known.set(event, found);
  return found;
}

function readEvent(event: DynamicObject): EventFacts {
  const about = isRecord(event["involvedObject"]) ? event["involvedObject"] : {};
  const series = isRecord(event["series"]) ? event["series"] : {};
  const times = [series["lastObservedTime"], event["lastTimestamp"], event["eventTime"], event["firstTimestamp"]];
  const [kind, name] = [textIn(about["kind"]), textIn(about["name"])];
  return {
    type: textIn(event["type"]) || "Normal",
    reason: textIn(event["reason"]),
    message: textIn(event["message"]),
    object: `${kind}/${name}`,
    kind,
    name,
    namespace: textIn(about["namespace"]) || (event.metadata.namespace ?? ""),
    uid: textIn(about["uid"]),
    count: numberIn(series["count"]) ?? numberIn(event["count"]) ?? 1,
    lastSeen: times.find((time) => typeof time === "string" && time !== "") as string | undefined,
  };
}

/** Limit of displayed events. */
const mostEvents = 2000;

/** The matching events, newest first. */
export function eventsAbout(
  events: readonly DynamicObject[],
  about: (event: DynamicObject) => boolean,
): readonly DynamicObject[] {
  const seen = (event: DynamicObject): string => eventFacts(event).lastSeen ?? event.metadata.creationTimestamp ?? "";
  return events
    .filter(about)
    .sort((left, right) => (seen(left) < seen(right) ? 1 : -1))
    .slice(0, mostEvents);
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
