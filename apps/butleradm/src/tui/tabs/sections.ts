import { ageOf } from "@butler/cli-kit";
import type { Condition, DynamicObject } from "@butler/resource";
import { printable } from "@butler/std";
import { type Line, lineOf, type Look } from "../view/line.ts";
import { fit, widthOf, wrap } from "../view/text.ts";
import { eventsAbout, eventFacts } from "./event-facts.ts";
import type { DetailsContext, Section } from "./tab.ts";
import { conditionTone, signs, toneOrder } from "./tones.ts";

/** A title, its value, and the style of the value. */
export type Fact = readonly [title: string, value: string | undefined, look?: Look | undefined];

const titleWidth = 14;

/** Facts line by line; those without a value are omitted. */
export function factLines(facts: readonly Fact[], width: number): Line[] {
  return facts.flatMap(([title, value, look]): Line[] => {
    if (value === undefined || value === "") return [];
    return wrap(value, width - titleWidth).map((text, at) => [
      { text: fit(at === 0 ? title : "", titleWidth), look: "faint" },
      { text, look },
    ]);
  });
}

/** Text wrapped to a width. */
export function textLines(text: string, width: number, look?: Look): Line[] {
  return wrap(text, width).map((line) => lineOf(line, look));
}

/** A section, unless it is empty. */
export function section(title: string, lines: readonly Line[]): Section[] {
  return lines.length === 0 ? [] : [{ title, lines }];
}

/** A small table of texts; the last column takes the remaining width and wraps. */
export function tableLines(
  rows: readonly (readonly string[])[],
  width: number,
  look?: (row: number) => Look | undefined,
): Line[] {
  const [header = []] = rows;
  const widths = header.slice(0, -1).map((_title, column) => {
    return Math.max(...rows.map((row) => widthOf(printable(row[column] ?? "")))) + 2;
  });
  const taken = widths.reduce((sum, each) => sum + each, 0);
  const room = Math.max(leastRoom, width - taken);
  return rows.flatMap((row, at): Line[] => {
    const own = at === 0 ? "faint" : look?.(at - 1);
    const cells = widths.map((each, column) => fit(printable(row[column] ?? ""), each)).join("");
    const [first = "", ...more] = wrap(row.at(-1) ?? "", room);
    return [lineOf(cells + first, own), ...more.map((text) => lineOf(" ".repeat(taken) + text, own))];
  });
}

/** A narrower column is cut rather than wrapped into many lines. */
const leastRoom = 20;

/** The conditions of an object, problems first, each with its message below. */
export function conditionSection(
  conditions: readonly Condition[] | undefined,
  { now, width }: DetailsContext,
): Section[] {
  const sorted = (conditions ?? []).toSorted(
    (left, right) => toneOrder.indexOf(conditionTone(left)) - toneOrder.indexOf(conditionTone(right)),
  );
  const typeWidth = Math.max(0, ...sorted.map(({ type }) => widthOf(type)));
  const lines = sorted.flatMap((condition): Line[] => {
    const { type, status, reason, message, lastTransitionTime } = condition;
    const tone = conditionTone(condition);
    const head: Line = [
      { text: `${signs[tone]} `, look: tone },
      { text: fit(printable(type), typeWidth + 2), look: "strong" },
      { text: fit(status, 9), look: tone },
      { text: fit(ageOf(lastTransitionTime, now), 6), look: "faint" },
      { text: printable(reason) },
    ];
    const isNews = tone !== "ready" && message !== "";
    return [head, ...(isNews ? wrap(message, width - 4).map((text) => lineOf(`    ${text}`, "faint")) : [])];
  });
  return section("Conditions", lines);
}

/** Maximum number of events of an object. */
const shownEvents = 10;

/** The most recent matching events. */
export function eventSection(about: (event: DynamicObject) => boolean, context: DetailsContext): Section[] {
  const { snapshot, now, width } = context;
  const found = eventsAbout(snapshot.events, about).slice(0, shownEvents).map(eventFacts);
  if (found.length === 0) return [];
  const rows = found.map(({ lastSeen, type, object, reason, message }) => [
    ageOf(lastSeen, now),
    type,
    object,
    `${reason}: ${message}`,
  ]);
  const look = (at: number): Look | undefined => (found[at]?.type === "Warning" ? "attention" : undefined);
  return section("Events", tableLines([["AGE", "TYPE", "OBJECT", "MESSAGE"], ...rows], width, look));
}
