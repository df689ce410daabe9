import type { ManagementAddon, State, TenantAddon } from "@butler/api";
import { ageOf } from "@butler/cli-kit";
import { isBeingDeleted, keyOf, keyText } from "@butler/resource";
import type { Change, Offer, Question } from "../model/offer.ts";
import type { Line } from "../view/line.ts";
import { conditionSection, type Fact, factLines, section, tableLines, textLines } from "./sections.ts";
import { defineTab, type DetailsContext, type Section } from "./tab.ts";
import { addonState, stateText, toneOrder } from "./tones.ts";

/** An add-on of a tenant cluster or of the management cluster. */
export type AnyAddon = TenantAddon | ManagementAddon;

function isTenants(addon: AnyAddon): addon is TenantAddon {
  return addon.kind === "TenantAddon";
}

/** The cluster of an add-on. */
function clusterOf(addon: AnyAddon): string {
  return isTenants(addon) ? addon.spec.clusterRef.name : "(management)";
}

function chartOf(addon: AnyAddon): string {
  return addon.spec.addon ?? (isTenants(addon) ? (addon.spec.helm?.chart ?? "") : "");
}

/** The state of an add-on. */
export function stateOfAddon(addon: AnyAddon): State {
  const phase = isBeingDeleted(addon) ? "Deleting" : (addon.status?.phase ?? "Pending");
  return addonState(phase, addon.spec.paused === true);
}

/** Every add-on of every cluster. */
export const addons = defineTab<AnyAddon>({
  id: "addons",
  title: "Add-ons",
  sources: ["addons", "managementAddons"],
  items: (snapshot) => [...snapshot.addons, ...snapshot.managementAddons],
  keyOf: ({ kind, metadata }) => `${kind} ${keyText(metadata)}`,
  columns: [
    { title: "NAME", value: ({ metadata }) => metadata.name, widest: 32 },
    { title: "CLUSTER", value: clusterOf, widest: 28 },
    {
      title: "STATE",
      value: (addon) => stateText(stateOfAddon(addon)),
      look: (addon) => stateOfAddon(addon).tone,
      sortBy: (addon) => toneOrder.indexOf(stateOfAddon(addon).tone),
    },
    { title: "VERSION", value: ({ spec, status }) => status?.installedVersion ?? spec.version ?? "-", widest: 16 },
    {
      title: "AGE",
      value: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
      sortBy: ({ metadata }) => -Date.parse(metadata.creationTimestamp ?? ""),
      align: "right",
    },
    { title: "ADD-ON", value: chartOf, drop: 3, widest: 24 },
    { title: "NAMESPACE", value: ({ metadata }) => metadata.namespace ?? "-", drop: 2, widest: 24 },
    { title: "MESSAGE", value: ({ status }) => status?.message ?? "", drop: 1, isFilling: true, isNote: true },
  ],
  sort: { column: 0, isDescending: false },
  empty: {
    sentence: "No add-ons.",
    hint: "Enable one on a cluster: butlerctl addon enable ADDON --cluster NAME",
  },
  details: addonDetails,
  offers: (addon) => (isTenants(addon) ? addonOffers(addon) : []),
});

function addonDetails(addon: AnyAddon, context: DetailsContext): Section[] {
  const { width, now } = context;
  const { metadata, spec, status } = addon;
  const state = stateOfAddon(addon);
  const facts: Fact[] = [
    ["Name", keyText(metadata)],
    ["Cluster", clusterOf(addon)],
    ["State", stateText(state), state.tone],
    ["Add-on", chartOf(addon)],
    ["Version", status?.installedVersion],
    ["Requested", spec.version],
    ["Ready", status?.resources === undefined ? "" : `${status.resources.ready} of ${status.resources.total} objects`],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ];
  const attempt = status?.lastAttempt;
  const attemptText =
    attempt === undefined
      ? ""
      : `${attempt.action} ${attempt.version ?? ""}: ${attempt.outcome}. ${attempt.message ?? ""}`;
  return [
    { title: "Add-on", lines: factLines(facts, width) },
    ...section("Message", textLines(status?.message ?? "", width, state.tone)),
    ...section("Last attempt", textLines(attemptText, width)),
    ...section("Not ready", waitingLines(addon, width)),
    ...conditionSection(status?.conditions, context),
    ...section("History", historyLines(addon, context)),
  ];
}

function waitingLines({ status }: AnyAddon, width: number): Line[] {
  const rows = (status?.resources?.waiting ?? []).map(({ kind, namespace, name, state, message }) => [
    `${kind} ${keyText({ name, namespace })}`,
    state,
    message,
  ]);
  return rows.length === 0 ? [] : tableLines([["OBJECT", "STATE", "MESSAGE"], ...rows], width);
}

function historyLines({ status }: AnyAddon, { width, now }: DetailsContext): Line[] {
  const rows = (status?.history ?? []).map(({ revision, version, status: word, deployedAt, description }) => [
    String(revision),
    version,
    word,
    ageOf(deployedAt, now),
    description ?? "",
  ]);
  return rows.length === 0 ? [] : tableLines([["REVISION", "VERSION", "STATUS", "AGE", "DESCRIPTION"], ...rows], width);
}

function addonOffers(addon: TenantAddon): Offer[] {
  const { name } = addon.metadata;
  const isPaused = addon.spec.paused === true;
  const leaving = isBeingDeleted(addon) ? `${name} is already being removed.` : undefined;
  return [
    { key: "z", title: isPaused ? "resume" : "pause", begin: () => leaving ?? pauseQuestion(addon, isPaused) },
    { key: "d", title: "remove", begin: () => leaving ?? removeQuestion(addon) },
  ];
}

function changeOf(addon: TenantAddon, texts: Pick<Change, "what" | "done">, how: Change["how"]): Change {
  return { kind: "TenantAddon", key: keyOf(addon), how, ...texts };
}

function pauseQuestion(addon: TenantAddon, isPaused: boolean): Question {
  const { name } = addon.metadata;
  const done = isPaused ? `${name} was resumed.` : `${name} was paused.`;
  const patch = { spec: { paused: !isPaused } };
  return {
    kind: "confirm",
    title: `${isPaused ? "Resume" : "Pause"} ${keyText(addon.metadata)}`,
    lines: [
      isPaused
        ? "Pending changes will be applied."
        : "The add-on keeps running; changes are not applied until you resume it.",
    ],
    change: changeOf(addon, { what: `updating ${name}`, done }, { verb: "patch", type: "merge", patch }),
  };
}

function removeQuestion(addon: TenantAddon): Question {
  const { name, uid } = addon.metadata;
  const texts = { what: `removing ${name}`, done: `${name} is being removed.` };
  return {
    kind: "type",
    title: `Remove ${keyText(addon.metadata)}`,
    lines: [`This uninstalls the add-on from cluster ${clusterOf(addon)} and deletes all of its data there.`],
    label: `Type ${name} to remove it`,
    initial: "",
    answered: (text) =>
      text.trim() === name
        ? { kind: "change", change: changeOf(addon, texts, { verb: "delete", uid }) }
        : { kind: "fault", fault: "The name does not match." },
  };
}
