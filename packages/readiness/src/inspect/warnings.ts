import type { KubeClient } from "@butler/kube";
import { builtinKinds, type KubeObject } from "@butler/resource";
import { brief, textAt } from "../objects/fields.ts";

const mostEvents = 50;

/** The newest thing that Kubernetes has warned of about an object, if it has. */
export async function newestWarning(
  client: Pick<KubeClient, "list">,
  { metadata: { namespace, uid = "" } }: KubeObject,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const fieldSelector = `involvedObject.uid=${uid},type=Warning`;
  const { items } = await client.list(builtinKinds.Event, { namespace, fieldSelector, limit: mostEvents, signal });
  return warningText(items);
}

/** The newest of some events in words, or nothing when there is none. */
export function warningText(events: readonly KubeObject[]): string | undefined {
  const [last] = events.toSorted((left, right) => (seenAt(left) < seenAt(right) ? 1 : -1));
  if (last === undefined) return undefined;
  const reason = textAt(last, "reason");
  const message = textAt(last, "message");
  // What follows here is what the program answered to a probe, and may be anything.
  const told = reason === "Unhealthy" ? (message.split(":", 1)[0] ?? "") : message;
  return `there is a warning (${reason}): ${brief(told)}`;
}

/** Writers of events differ in where they say when; all of them write the time in the same form. */
function seenAt(event: KubeObject): string {
  const series = textAt(event, "series", "lastObservedTime");
  return (
    series || textAt(event, "lastTimestamp") || textAt(event, "eventTime") || (event.metadata.creationTimestamp ?? "")
  );
}
