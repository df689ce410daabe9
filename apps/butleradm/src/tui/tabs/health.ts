import type { State } from "@butler/api";
import { type Condition, type DynamicObject, findCondition, keyText, type KubeObject } from "@butler/resource";
import { ageOf } from "@butler/cli-kit";
import { isRecord } from "@butler/std";
import type { Snapshot } from "../snapshot.ts";
import { eventFacts } from "./event-facts.ts";
import { conditionSection, eventSection, factLines } from "./sections.ts";
import { defineTab } from "./tab.ts";
import { readyState, stateText, toneOrder } from "./tones.ts";

/** A component of the platform itself. */
export interface PlatformComponent {
  readonly kind: string;
  readonly object: KubeObject;
  readonly state: State;
  readonly note: string;
  readonly conditions: readonly Condition[] | undefined;
}

/** All components of the platform. */
export function platformComponents(snapshot: Snapshot): PlatformComponent[] {
  const { deployments, dataStores, providers, identityProviders } = snapshot;
  return [
    ...deployments.map(deploymentComponent),
    ...dataStores.map((store): PlatformComponent => {
      const { databaseSize, quota, usedBy } = store.status ?? {};
      const size = databaseSize === undefined ? "" : `${databaseSize} of ${quota ?? "?"}`;
      const users = usedBy === undefined ? "" : `${usedBy.length} control planes`;
      return conditionComponent("Datastore", store, [size, users].filter(Boolean).join(", "));
    }),
    ...providers.map((provider) => conditionComponent("Provider", provider, provider.spec.provider)),
    ...identityProviders.map((identity) => conditionComponent("Sign-in", identity, identity.status?.message ?? "")),
  ];
}

type Stated = KubeObject & { readonly status?: { readonly conditions?: Condition[] | undefined } | undefined };

function conditionComponent(kind: string, object: Stated, note: string): PlatformComponent {
  const conditions = object.status?.conditions;
  const state = readyState(conditions);
  const complaint = findCondition(conditions, "Ready")?.message;
  return { kind, object, state, note: state.tone === "failed" ? (complaint ?? note) : note, conditions };
}

function deploymentComponent(object: DynamicObject): PlatformComponent {
  const spec = isRecord(object["spec"]) ? object["spec"] : {};
  const status = isRecord(object["status"]) ? object["status"] : {};
  const wanted = typeof spec["replicas"] === "number" ? spec["replicas"] : 1;
  const ready = typeof status["readyReplicas"] === "number" ? status["readyReplicas"] : 0;
  const conditions = Array.isArray(status["conditions"]) ? (status["conditions"] as Condition[]) : undefined;
  return {
    kind: "Deployment",
    object,
    state: replicaState(ready, wanted),
    note: `${ready}/${wanted} pods ready`,
    conditions,
  };
}

function replicaState(ready: number, wanted: number): State {
  if (wanted === 0) return { tone: "asleep", word: "Off" };
  if (ready === 0) return { tone: "failed", word: "Not ready" };
  return ready < wanted ? { tone: "attention", word: "Degraded" } : { tone: "ready", word: "Ready" };
}

/** The platform itself: Butler's components, datastores, providers and sign-in. */
export const health = defineTab<PlatformComponent>({
  id: "health",
  title: "Health",
  sources: ["deployments", "dataStores", "providers", "identityProviders"],
  items: platformComponents,
  keyOf: ({ kind, object }) => `${kind} ${keyText(object.metadata)}`,
  columns: [
    { title: "KIND", value: ({ kind }) => kind },
    { title: "NAME", value: ({ object }) => object.metadata.name, widest: 40 },
    {
      title: "STATE",
      value: ({ state }) => stateText(state),
      look: ({ state }) => state.tone,
      sortBy: ({ state }) => toneOrder.indexOf(state.tone),
    },
    {
      title: "AGE",
      value: ({ object }, now) => ageOf(object.metadata.creationTimestamp, now),
      sortBy: ({ object }) => -Date.parse(object.metadata.creationTimestamp ?? ""),
      align: "right",
    },
    { title: "NAMESPACE", value: ({ object }) => object.metadata.namespace ?? "-", drop: 1, widest: 24 },
    { title: "NOTE", value: ({ note }) => note, isFilling: true, isNote: true },
  ],
  sort: { column: -1, isDescending: false },
  empty: { sentence: "No Butler components found in butler-system.", hint: "Install Butler: butleradm install" },
  details: (part, context) => {
    const { kind, object, state, note } = part;
    const { metadata } = object;
    const facts = factLines(
      [
        [kind, keyText(metadata)],
        ["State", stateText(state), state.tone],
        ["Note", note],
        ["Age", ageOf(metadata.creationTimestamp, context.now)],
      ],
      context.width,
    );
    const isOwn = (event: DynamicObject): boolean => {
      const about = eventFacts(event);
      return about.namespace === (metadata.namespace ?? "") && about.name.startsWith(metadata.name);
    };
    return [
      { title: "Component", lines: facts },
      ...conditionSection(part.conditions, context),
      ...eventSection(isOwn, context),
    ];
  },
});
