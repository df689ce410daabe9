import type { KubeClient } from "@butler/kube";
import { builtinKinds, type KubeObject } from "@butler/resource";
import { brief, textAt } from "../objects/fields.ts";

const mostEvents = 50;

/** The newest Warning event of an object, if it has any. */
export async function newestWarning(
  client: Pick<KubeClient, "list">,
  { metadata: { namespace, uid = "" } }: KubeObject,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const fieldSelector = `involvedObject.uid=${uid},type=Warning`;
  const { items } = await client.list(builtinKinds.Event, { namespace, fieldSelector, limit: mostEvents, signal });
  return warningText(items);
}

/** The newest of the events as text; undefined when there are none. */
export function warningText(events: readonly KubeObject[]): string | undefined {
  const [last] = events.toSorted((left, right) => (seenAt(left) < seenAt(right) ? 1 : -1));
  if (last === undefined) return undefined;
  const reason = textAt(last, "reason");
  const message = textAt(last, "message");
  // The rest of the message is the container's response to the probe, which is untrusted.
  const told = reason === "Unhealthy" ? (message.split(":", 1)[0] ?? "") : message;
  return `warning ${reason}: ${brief(told)}`;
}

/** Event writers use different fields for the time, all in the same format. */
function seenAt(event: KubeObject): string {
  const series = textAt(event, "series", "lastObservedTime");
  return (
    series || textAt(event, "lastTimestamp") || textAt(event, "eventTime") || (event.metadata.creationTimestamp ?? "")
  );
}
