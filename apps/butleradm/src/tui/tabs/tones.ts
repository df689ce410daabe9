import type { NetworkPool, TenantCluster } from "@butler/api";
import { type Condition, findCondition } from "@butler/resource";
import { phaseOf } from "@butler/why";

/** How something is, whatever it is. Sign and word tell it too, so that colour never stands alone. */
export type Tone = "ready" | "working" | "attention" | "failed" | "asleep" | "unknown";

/** The signs of the tones, the same as in the console. */
export const signs: Readonly<Record<Tone, string>> = {
  ready: "●",
  working: "◐",
  attention: "▲",
  failed: "✕",
  asleep: "○",
  unknown: "–",
};

/** How something is: its tone, and the word for it. */
export interface State {
  readonly tone: Tone;
  readonly word: string;
}

/** A state as text: sign and word. */
export function stateText({ tone, word }: State): string {
  return `${signs[tone]} ${word}`;
}

/** The worst first. */
export const toneOrder: readonly Tone[] = ["failed", "attention", "working", "unknown", "asleep", "ready"];

const phaseTones: Readonly<Record<string, Tone>> = {
  Pending: "working",
  Provisioning: "working",
  Installing: "working",
  Updating: "working",
  Deleting: "working",
  Ready: "ready",
  Failed: "failed",
};

/** How a cluster is. One that is ready by its phase, but says that something is wrong, needs attention. */
export function clusterState(cluster: TenantCluster): State {
  if (cluster.spec.paused) return { tone: "asleep", word: "Paused" };
  const phase = phaseOf(cluster);
  const isUnwell = findCondition(cluster.status?.conditions, "Ready")?.status === "False";
  if (phase === "Ready" && isUnwell) return { tone: "attention", word: "Not well" };
  return { tone: phaseTones[phase] ?? "unknown", word: phase };
}

/** How full a pool is. */
export function poolState({ status }: NetworkPool): State {
  const { totalIPs, availableIPs } = status ?? {};
  if (totalIPs === undefined || availableIPs === undefined) return { tone: "unknown", word: "Unknown" };
  if (availableIPs <= 0) return { tone: "failed", word: "Full" };
  const used = 1 - availableIPs / totalIPs;
  if (used >= 0.9) return { tone: "failed", word: "Nearly full" };
  return used >= 0.8 ? { tone: "attention", word: "Filling up" } : { tone: "ready", word: "Room left" };
}

const addonStates: Readonly<Record<string, State>> = {
  Pending: { tone: "working", word: "Pending" },
  WaitingForDependencies: { tone: "working", word: "Waiting" },
  Installing: { tone: "working", word: "Installing" },
  Installed: { tone: "ready", word: "Installed" },
  Upgrading: { tone: "working", word: "Changing" },
  RollingBack: { tone: "working", word: "Going back" },
  Degraded: { tone: "attention", word: "Not well" },
  Failed: { tone: "failed", word: "Failed" },
  Deleting: { tone: "working", word: "Removing" },
  Uninstalling: { tone: "working", word: "Removing" },
};

/** How an add-on is, by its phase. */
export function addonState(phase: string, isPaused: boolean): State {
  const state = addonStates[phase] ?? { tone: "unknown", word: phase };
  return isPaused && state.word !== "Removing" ? { tone: "asleep", word: "Left alone" } : state;
}

/** How something is that says so in its Ready condition. */
export function readyState(conditions: readonly Condition[] | undefined): State {
  const ready = findCondition(conditions, "Ready");
  if (ready === undefined) return { tone: "unknown", word: "Unknown" };
  if (ready.status === "True") return { tone: "ready", word: "Ready" };
  return ready.status === "False" ? { tone: "failed", word: "Not ready" } : { tone: "unknown", word: "Unknown" };
}

/** Conditions that are true when something is wrong. */
const negative = /^(?:Paused|Degraded|QuotaExceeded|DeletionOverdue|Orphaned|Deleting|Capacity\w+)$/;

/** How a condition is. */
export function conditionTone({ type, status }: Condition): Tone {
  if (status === "Unknown") return "unknown";
  if ((status === "True") !== negative.test(type)) return "ready";
  return negative.test(type) ? "attention" : "failed";
}
