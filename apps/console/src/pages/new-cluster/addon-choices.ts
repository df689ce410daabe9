import type { listCatalog, RouteAnswer } from "@butler/contract";
import { valueAt } from "@butler/std";
import { type Parts, textAt, withValueAt } from "./draft.ts";
import { givenAddons, type TeamFacts } from "./presets.ts";

/** The part of a catalog entry needed for selection. */
export type Entry = Pick<
  RouteAnswer<typeof listCatalog>["addons"][number],
  "name" | "displayName" | "description" | "platform" | "conflictsWith" | "dependsOn"
>;

/** A selectable add-on, or why it is not selectable. */
export interface AddonChoice {
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly isChosen: boolean;
  /** Whether the checkbox is disabled. */
  readonly isFixed: boolean;
}

/** Team, environment and current selection. */
export interface ChoiceFacts {
  readonly team: TeamFacts;
  readonly environment: string;
  readonly chosen: readonly string[];
}

/** The add-ons sorted by title. Platform add-ons are installed automatically and omitted. */
export function addonChoices(entries: readonly Entry[], facts: ChoiceFacts): readonly AddonChoice[] {
  return entries
    .filter(({ platform }) => !platform)
    .map((entry) => choiceOf(entry, facts))
    .toSorted((left, right) => left.title.localeCompare(right.title));
}

function choiceOf(entry: Entry, { team, environment, chosen }: ChoiceFacts): AddonChoice {
  const { name, displayName, description } = entry;
  const given = givenAddons(team, environment);
  const base = { name, title: displayName === "" ? name : displayName };
  const preset = given.find(({ value }) => value === name);
  if (preset !== undefined) return { ...base, words: `Enabled by ${preset.from}.`, isChosen: true, isFixed: true };
  const isChosen = chosen.includes(name);
  // A selected add-on can always be deselected.
  if (!isAllowed(name, team)) return { ...base, words: "Not allowed for this team.", isChosen, isFixed: !isChosen };
  const present = [...given.map(({ value }) => value), ...chosen].filter((other) => other !== name);
  const [rival] = entry.conflictsWith.filter((other) => present.includes(other));
  if (rival !== undefined) {
    return { ...base, words: `Conflicts with ${rival}.`, isChosen, isFixed: !isChosen };
  }
  const missing = entry.dependsOn.filter((other) => !present.includes(other));
  const needs = isChosen && missing.length > 0 ? ` Requires ${missing.join(", ")}.` : "";
  return { ...base, words: `${description}${needs}`, isChosen, isFixed: false };
}

function isAllowed(name: string, { resourceLimits }: TeamFacts): boolean {
  const { allowedAddons = [], deniedAddons = [] } = resourceLimits ?? {};
  return !deniedAddons.includes(name) && (allowedAddons.length === 0 || allowedAddons.includes(name));
}

/** The ingress in a spec: a product, `none`, or empty for the default. */
export function ingressChoice(spec: Parts): string {
  if (valueAt(spec, "addons.ingress.enabled") === false) return "none";
  return textAt(spec, "addons.ingress.provider") ?? "";
}

/** The spec with another ingress. Its custom values are kept. */
export function withIngress(spec: Parts, choice: string): Parts {
  const isNone = choice === "none";
  const enabled = withValueAt(spec, "addons.ingress.enabled", isNone ? false : undefined);
  return withValueAt(enabled, "addons.ingress.provider", isNone || choice === "" ? undefined : choice);
}
