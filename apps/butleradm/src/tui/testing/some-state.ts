import { NetworkPool, Team, TenantAddon } from "@butler/api";
import { type DynamicObject, parseObject } from "@butler/resource";
import { aCluster, aReadyCluster, now, secondsAgo } from "@butler/diagnosis/testing";
import { reduce } from "../model/reduce.ts";
import { type Effect, initialState, type KeyPress, type TuiEvent, type TuiState } from "../model/state.ts";
import { emptySnapshot, type Snapshot } from "../snapshot.ts";
import { textOf } from "../view/line.ts";
import { screenOf } from "../view/screen.ts";

const live = Object.fromEntries(
  Object.keys(emptySnapshot.sources).map((name) => [name, { state: "live" }]),
) as unknown as Snapshot["sources"];

/** A snapshot with a number of clusters, and a few other objects. */
export function aSnapshot(clusters: number, rest: Partial<Snapshot> = {}): Snapshot {
  const named = Array.from({ length: clusters }, (_none, at) => {
    const metadata = { name: `cluster-${at}`, uid: `uid-${at}`, creationTimestamp: secondsAgo(at * 60) };
    return at % 3 === 0 ? aCluster({ metadata }) : aReadyCluster({ metadata });
  });
  const team = parseObject(Team, {
    apiVersion: Team.apiVersion,
    kind: "Team",
    metadata: { name: "payments" },
    spec: {},
    status: { phase: "Ready" },
  });
  const pool = parseObject(NetworkPool, {
    apiVersion: NetworkPool.apiVersion,
    kind: "NetworkPool",
    metadata: { name: "datacenter", namespace: "butler-system" },
    spec: { cidr: "10.40.0.0/24" },
    status: { totalIPs: 100, availableIPs: 5 },
  });
  const addon = parseObject(TenantAddon, {
    apiVersion: TenantAddon.apiVersion,
    kind: "TenantAddon",
    metadata: { name: "cilium", namespace: "payments" },
    spec: { clusterRef: { name: "cluster-0" }, addon: "cilium" },
    status: { phase: "Failed", message: "日本語 and 🚀 in a message that is far too long for any column of a list" },
  });
  return {
    ...emptySnapshot,
    clusters: named,
    teams: [team],
    pools: [pool],
    addons: [addon],
    events: [anEvent("first"), anEvent("second")],
    sources: live,
    ...rest,
  };
}

/** An event about a cluster. */
export function anEvent(name: string): DynamicObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace: "payments" },
    involvedObject: { kind: "TenantCluster", name: "cluster-0", namespace: "payments" },
    type: "Warning",
    reason: "Trouble",
    message: `${name}\u001B[31m with a colour of its own`,
    lastTimestamp: secondsAgo(60),
  };
}

/** The dashboard after a number of clusters have been loaded. */
export function aState(clusters: number, size = { columns: 80, rows: 24 }): TuiState {
  const begun = initialState({ size, nowMs: now.getTime(), context: "test" });
  return after(begun, {
    type: "data",
    snapshot: aSnapshot(clusters),
    connection: { state: "live", version: "v1.36.3" },
  });
}

/** The state after events, one after the other. */
export function after(state: TuiState, ...events: readonly TuiEvent[]): TuiState {
  return events.reduce((before, event) => reduce(before, event).state, state);
}

const names = new Set([
  "up",
  "down",
  "left",
  "right",
  "enter",
  "escape",
  "tab",
  "backTab",
  "pageDown",
  "pageUp",
  "home",
  "end",
  "backspace",
  "clear",
  "interrupt",
]);

/** Keys as events: key names as such, and everything else letter by letter. */
export function keys(...texts: readonly string[]): TuiEvent[] {
  return texts.flatMap((text) => {
    const pressed = names.has(text)
      ? [{ name: text } as KeyPress]
      : text.split("").map((letter): KeyPress => ({ name: "text", text: letter }));
    return pressed.map((key): TuiEvent => ({ type: "key", key }));
  });
}

/** The state after keys, with all side effects. */
export function pressing(state: TuiState, ...texts: readonly string[]): { state: TuiState; effects: Effect[] } {
  const effects: Effect[] = [];
  let current = state;
  for (const event of keys(...texts)) {
    const step = reduce(current, event);
    current = step.state;
    effects.push(...step.effects);
  }
  return { state: current, effects };
}

/** The screen as text. */
export function screenText(state: TuiState): string {
  return screenOf(state)
    .map((line) => textOf(line).trimEnd())
    .join("\n");
}
