import { ageOf } from "@butler/cli-kit";
import { type DynamicObject, keyText } from "@butler/resource";
import { eventFacts, eventsAbout } from "./event-facts.ts";
import { type Fact, factLines, section, textLines } from "./sections.ts";
import { defineTab } from "./tab.ts";

const isWarning = (event: DynamicObject): boolean => eventFacts(event).type === "Warning";

/** Events of Kubernetes and the controllers, newest first. */
export const events = defineTab<DynamicObject>({
  id: "events",
  title: "Events",
  sources: ["events"],
  items: (snapshot) => eventsAbout(snapshot.events, () => true),
  keyOf: ({ metadata }) => keyText(metadata),
  columns: [
    {
      title: "AGE",
      value: (event, now) => ageOf(eventFacts(event).lastSeen, now),
      sortBy: (event) => -Date.parse(eventFacts(event).lastSeen ?? ""),
      align: "right",
    },
    {
      title: "TYPE",
      value: (event) => (isWarning(event) ? "▲ Warning" : "● Normal"),
      look: (event) => (isWarning(event) ? "attention" : "faint"),
    },
    {
      title: "COUNT",
      value: (event) => String(eventFacts(event).count),
      align: "right",
      drop: 2,
      sortBy: (event) => eventFacts(event).count,
    },
    { title: "NAMESPACE", value: (event) => eventFacts(event).namespace || "-", drop: 1, widest: 24 },
    { title: "OBJECT", value: (event) => eventFacts(event).object, widest: 40 },
    { title: "REASON", value: (event) => eventFacts(event).reason, widest: 24 },
    { title: "MESSAGE", value: (event) => eventFacts(event).message, isFilling: true, isNote: true },
  ],
  sort: { column: -1, isDescending: false },
  empty: { sentence: "No recent events.", hint: "Kubernetes keeps events for an hour." },
  details: (event, { now, width }) => {
    const { type, reason, message, kind, name, namespace, count, lastSeen } = eventFacts(event);
    const facts: Fact[] = [
      ["Object", `${kind} ${keyText({ name, namespace })}`],
      ["Type", isWarning(event) ? "▲ Warning" : type, isWarning(event) ? "attention" : undefined],
      ["Reason", reason],
      ["Seen", `${count === 1 ? "once" : `${count} times`}, last ${ageOf(lastSeen, now)} ago`],
    ];
    return [{ title: "Event", lines: factLines(facts, width) }, ...section("Message", textLines(message, width))];
  },
});
