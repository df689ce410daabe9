import type { Tone } from "@butler/api";
import type { TuiState } from "../model/state.ts";
import { signs } from "../tabs/tones.ts";
import { cutLine, type Line, lineOf } from "./line.ts";
import { fit } from "./text.ts";

type Entry = readonly [keys: string, what: string];

const groups: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  [
    "Navigation",
    [
      ["↑ ↓  k j", "move one row up or down"],
      ["PgUp PgDn", "move one page up or down"],
      ["Home End  g G", "go to the first or last row"],
      ["Tab  ← →  1…9", "switch tabs"],
      ["Enter", "open the selected row"],
      ["Esc  ←", "return to the list"],
    ],
  ],
  [
    "Lists",
    [
      ["/", "filter rows; Enter applies the filter, Esc clears it"],
      ["o  O", "sort by the next column, or reverse the order"],
    ],
  ],
  [
    "Clusters",
    [
      ["s", "scale a worker pool"],
      ["u", "upgrade to another Kubernetes version"],
      ["p", "enable or disable deletion protection"],
      ["z", "pause or resume; also for add-ons"],
      ["d", "delete after typing the name; also for add-ons"],
    ],
  ],
  ["General", [["q  Ctrl-C", "quit; ? shows or hides this help"]]],
];

const meanings: readonly (readonly [Tone, string])[] = [
  ["ready", "ready"],
  ["working", "in progress"],
  ["attention", "attention"],
  ["failed", "failed"],
  ["asleep", "paused"],
  ["unknown", "unknown"],
];

const keyWidth = 16;

/** All lines of the help. */
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
