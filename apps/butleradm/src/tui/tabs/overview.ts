import { clusterState, poolState, type State } from "@butler/api";
import { type Condition, findCondition, keyText } from "@butler/resource";
import type { Snapshot } from "../snapshot.ts";
import type { Line, Span } from "../view/line.ts";
import { fit } from "../view/text.ts";
import { stateOfAddon } from "./addons.ts";
import { controlPlaneState } from "./control-planes.ts";
import { platformComponents } from "./health.ts";
import { defineTab, type Place } from "./tab.ts";
import { teamState } from "./teams.ts";
import { signs, stateText, toneOrder } from "./tones.ts";

/** An object that may need attention. */
interface ObjectHealth {
  readonly what: string;
  readonly name: string;
  readonly state: State;
  readonly why: string;
  readonly place: Place;
}

function readyMessage(conditions: readonly Condition[] | undefined): string {
  const ready = findCondition(conditions, "Ready");
  return ready?.status === "True" ? "" : (ready?.message ?? "");
}

/** All objects with their states. */
function everything(snapshot: Snapshot): ObjectHealth[] {
  const { clusters, controlPlanes, teams, pools, addons, managementAddons } = snapshot;
  return [
    ...clusters.map((cluster): ObjectHealth => {
      const key = keyText(cluster.metadata);
      const why = readyMessage(cluster.status?.conditions);
      return { what: "Cluster", name: key, state: clusterState(cluster), why, place: { tab: "clusters", key } };
    }),
    ...controlPlanes.map((plane): ObjectHealth => {
      const key = keyText(plane.metadata);
      const why = readyMessage(plane.status?.conditions);
      return {
        what: "Control plane",
        name: key,
        state: controlPlaneState(plane),
        why,
        place: { tab: "controlPlanes", key },
      };
    }),
    ...teams.map((team): ObjectHealth => {
      const key = team.metadata.name;
      const why = team.status?.quotaMessage ?? readyMessage(team.status?.conditions);
      return { what: "Team", name: key, state: teamState(team), why, place: { tab: "teams", key } };
    }),
    ...pools.map((pool): ObjectHealth => {
      const key = keyText(pool.metadata);
      const { availableIPs = 0, totalIPs = 0 } = pool.status ?? {};
      const why = `${availableIPs} of ${totalIPs} addresses are free`;
      return { what: "Network", name: key, state: poolState(pool), why, place: { tab: "networks", key } };
    }),
    ...[...addons, ...managementAddons].map((addon): ObjectHealth => {
      const name = keyText(addon.metadata);
      const place: Place = { tab: "addons", key: `${addon.kind} ${name}` };
      return { what: "Add-on", name, state: stateOfAddon(addon), why: addon.status?.message ?? "", place };
    }),
    ...platformComponents(snapshot).map(({ kind, object, state, note }): ObjectHealth => {
      const name = keyText(object.metadata);
      return { what: "Platform", name, state, why: note, place: { tab: "health", key: `${kind} ${name}` } };
    }),
  ];
}

function unhealthyObjects(snapshot: Snapshot): ObjectHealth[] {
  return everything(snapshot)
    .filter(({ state }) => state.tone === "failed" || state.tone === "attention")
    .sort((left, right) => toneOrder.indexOf(left.state.tone) - toneOrder.indexOf(right.state.tone));
}

const groups = [
  ["Clusters", "Cluster"],
  ["Control planes", "Control plane"],
  ["Teams", "Team"],
  ["Networks", "Network"],
  ["Add-ons", "Add-on"],
  ["Platform", "Platform"],
] as const;

/** Counts of all objects by state. */
function summaryLines(snapshot: Snapshot): Line[] {
  const byWhat = Map.groupBy(everything(snapshot), ({ what }) => what);
  const lines = groups.map(([title, what]): Line => {
    const all = byWhat.get(what) ?? [];
    return [
      { text: ` ${fit(title, 16)}` },
      { text: fit(String(all.length), 5, "right"), look: "strong" },
      { text: "   " },
      ...shares(all),
    ];
  });
  return [...lines, workerLine(snapshot), [{ text: "" }], [{ text: " Needs attention", look: "strong" }]];
}

function shares(all: readonly ObjectHealth[]): Span[] {
  const byWord = Map.groupBy(all, ({ state }) => stateText(state));
  const sorted = [...byWord.values()].sort(
    ([left], [right]) =>
      toneOrder.indexOf(left?.state.tone ?? "unknown") - toneOrder.indexOf(right?.state.tone ?? "unknown"),
  );
  return sorted.toReversed().flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const { tone, word } = first.state;
    return [{ text: `${signs[tone]} ${some.length} ${word}`, look: tone }, { text: "   " }];
  });
}

function workerLine({ clusters }: Snapshot): Line {
  const ready = clusters.reduce((sum, { status }) => sum + (status?.workerNodesReady ?? 0), 0);
  const wanted = clusters.reduce((sum, { status }) => sum + (status?.workerNodesDesired ?? 0), 0);
  return [
    { text: ` ${fit("Worker nodes", 16)}` },
    { text: fit(String(wanted), 5, "right"), look: "strong" },
    { text: "   " },
    {
      text: wanted === 0 ? "" : `${ready < wanted ? "▲" : "●"} ${ready} ready`,
      look: ready < wanted ? "attention" : "ready",
    },
  ];
}

/** The whole platform at a glance, and the objects that need attention. */
export const overview = defineTab<ObjectHealth>({
  id: "overview",
  title: "Overview",
  sources: ["clusters"],
  items: unhealthyObjects,
  keyOf: ({ place }) => `${place.tab} ${place.key}`,
  columns: [
    { title: "STATE", value: ({ state }) => stateText(state), look: ({ state }) => state.tone },
    { title: "KIND", value: ({ what }) => what },
    { title: "NAME", value: ({ name }) => name, widest: 36 },
    { title: "MESSAGE", value: ({ why }) => why, isFilling: true, isNote: true },
  ],
  sort: { column: -1, isDescending: false },
  empty: { sentence: "No problems found.", hint: "" },
  summary: summaryLines,
  leadsTo: ({ place }) => place,
});
