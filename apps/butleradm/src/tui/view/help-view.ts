import type { Tone } from "@butler/api";
import type { TuiState } from "../model/state.ts";
import { signs } from "../tabs/tones.ts";
import { cutLine, type Line, lineOf } from "./line.ts";
import { fit } from "./text.ts";

type Entry = readonly [keys: string, what: string];

const groups: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  [
    "Moving",
    [
      ["↑ ↓  k j", "one row up or down"],
      ["PgUp PgDn", "one page up or down"],
      ["Home End  g G", "the first or the last row"],
      ["Tab  ← →  1…9", "another tab"],
      ["Enter", "open what is chosen"],
      ["Esc  ←", "back to the list"],
    ],
  ],
  [
    "Lists",
    [
      ["/", "filter by words; Enter keeps it, Esc takes it away"],
      ["o  O", "sort by the next column, or the other way round"],
    ],
  ],
  [
    "Clusters",
    [
      ["s", "scale a pool of worker machines"],
      ["u", "upgrade to another Kubernetes version"],
      ["p", "protect from deletion, or lift the protection"],
      ["z", "pause or resume; for add-ons as well"],
      ["d", "delete, after the name was typed; for add-ons as well"],
    ],
  ],
  ["Otherwise", [["q  Ctrl-C", "quit; ? shows and hides these keys"]]],
];

const meanings: readonly (readonly [Tone, string])[] = [
  ["ready", "well"],
  ["working", "on its way"],
  ["attention", "look at it"],
  ["failed", "failed"],
  ["asleep", "paused"],
  ["unknown", "unknown"],
];

const keyWidth = 16;

/** Every line of the list of keys. */
export function helpLines({ size }: TuiState): readonly Line[] {
  const lines = groups.flatMap(([title, entries]): Line[] => [
    lineOf(` ${title}`, "strong"),
    ...entries.map(([keys, what]): Line => [{ text: `   ${fit(keys, keyWidth)}` }, { text: what, look: "faint" }]),
  ]);
  const signsLine: Line = [
    { text: " " },
    ...meanings.flatMap(([tone, word]) => [{ text: `${signs[tone]} ${word}`, look: tone }, { text: "   " }]),
  ];
  return [...lines, signsLine].map((line) => cutLine(line, size.columns));
}
