import { addonState as stateOfAddon, type State, type Tone } from "@butler/api";
import { type Condition, findCondition } from "@butler/resource";

/** The signs of the tones, the same as in the console. */
export const signs: Readonly<Record<Tone, string>> = {
  ready: "●",
  working: "◐",
  attention: "▲",
  failed: "✕",
  asleep: "○",
  unknown: "–",
};

/** A state as text: sign and word. */
export function stateText({ tone, word }: State): string {
  return `${signs[tone]} ${word}`;
}

/** The worst first. */
export const toneOrder: readonly Tone[] = ["failed", "attention", "working", "unknown", "asleep", "ready"];

/** The state of an add-on by its phase, with the short word where there is one. */
export function addonState(phase: string, isPaused: boolean): State {
  const { tone, word, short } = stateOfAddon(phase, isPaused);
  return { tone, word: short ?? word };
}

/** The state of an object by its Ready condition. */
export function readyState(conditions: readonly Condition[] | undefined): State {
  const ready = findCondition(conditions, "Ready");
  if (ready === undefined) return { tone: "unknown", word: "Unknown" };
  if (ready.status === "True") return { tone: "ready", word: "Ready" };
  return ready.status === "False" ? { tone: "failed", word: "Not ready" } : { tone: "unknown", word: "Unknown" };
}

/** Conditions that indicate a problem when true. */
const negative = /^(?:Paused|Degraded|QuotaExceeded|DeletionOverdue|Orphaned|Deleting|Capacity\w+)$/;

/** The tone of a condition. */
export function conditionTone({ type, status }: Condition): Tone {
  if (status === "Unknown") return "unknown";
  if ((status === "True") !== negative.test(type)) return "ready";
  return negative.test(type) ? "attention" : "failed";
}
