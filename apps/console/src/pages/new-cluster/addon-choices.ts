import type { listCatalogue, RouteAnswer } from "@butler/contract";
import { type Parts, textAt, valueAt, withValueAt } from "./draft.ts";
import { givenAddons, type TeamFacts } from "./presets.ts";

/** An entry of the catalogue, as far as it is chosen by. */
export type Entry = Pick<
  RouteAnswer<typeof listCatalogue>["addons"][number],
  "name" | "displayName" | "description" | "platform" | "conflictsWith" | "dependsOn"
>;

/** An add-on that can be chosen, or why it cannot. */
export interface AddonChoice {
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly isChosen: boolean;
  /** Whether nothing can be done about it here. */
  readonly isFixed: boolean;
}

/** Whose cluster it is, and what has been chosen for it. */
export interface ChoiceFacts {
  readonly team: TeamFacts;
  readonly environment: string;
  readonly chosen: readonly string[];
}

/** The add-ons in the order of their titles. What the platform relies on comes by itself and is not among them. */
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
  if (preset !== undefined) return { ...base, words: `Comes from ${preset.from}.`, isChosen: true, isFixed: true };
  const isChosen = chosen.includes(name);
  // Something that was chosen can always be put back, whatever has become of it.
  if (!isAllowed(name, team)) return { ...base, words: "The team may not use it.", isChosen, isFixed: !isChosen };
  const present = [...given.map(({ value }) => value), ...chosen].filter((other) => other !== name);
  const [rival] = entry.conflictsWith.filter((other) => present.includes(other));
  if (rival !== undefined) {
    return { ...base, words: `Does not go together with ${rival}.`, isChosen, isFixed: !isChosen };
  }
  const missing = entry.dependsOn.filter((other) => !present.includes(other));
  const needs = isChosen && missing.length > 0 ? ` Needs ${missing.join(", ")}.` : "";
  return { ...base, words: `${description}${needs}`, isChosen, isFixed: false };
}

function isAllowed(name: string, { resourceLimits }: TeamFacts): boolean {
  const { allowedAddons = [], deniedAddons = [] } = resourceLimits ?? {};
  return !deniedAddons.includes(name) && (allowedAddons.length === 0 || allowedAddons.includes(name));
}

/** The ingress that a spec asks for: a product, `none`, or empty when it leaves that open. */
export function ingressChoice(spec: Parts): string {
  if (valueAt(spec, "addons.ingress.enabled") === false) return "none";
  return textAt(spec, "addons.ingress.provider") ?? "";
}

/** The spec with another choice of ingress. Values that somebody wrote for it stay. */
export function withIngress(spec: Parts, choice: string): Parts {
  const isNone = choice === "none";
  const enabled = withValueAt(spec, "addons.ingress.enabled", isNone ? false : undefined);
  return withValueAt(enabled, "addons.ingress.provider", isNone || choice === "" ? undefined : choice);
}
