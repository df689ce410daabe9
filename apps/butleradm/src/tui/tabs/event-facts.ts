import type { DynamicObject } from "@butler/resource";
import { isRecord } from "@butler/std";

/** What an event says, whoever wrote it. */
export interface EventFacts {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** What it is about: kind and name. */
  readonly object: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly count: number;
  readonly lastSeen: string | undefined;
}

const known = new WeakMap<DynamicObject, EventFacts>();

/** Reads an event. Older and newer writers put the time and the count into different fields. */
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

/** The newest first, and no more than anybody reads. */
const mostEvents = 2000;

/** The events that are about something, newest first. */
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
