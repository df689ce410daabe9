import type { DataStore, State, TenantControlPlane, Tone } from "@butler/api";
import { ageOf } from "@butler/cli-kit";
import { keyText } from "@butler/resource";
import { isRecord } from "@butler/std";
import { eventFacts } from "./event-facts.ts";
import { conditionSection, eventSection, type Fact, factLines, section, tableLines } from "./sections.ts";
import { defineTab, type DetailsContext, type Section } from "./tab.ts";
import { readyState, stateText, toneOrder } from "./tones.ts";

const tones: Readonly<Record<string, Tone>> = {
  Unknown: "unknown",
  Provisioning: "working",
  CertificateAuthorityRotating: "working",
  Upgrading: "working",
  Migrating: "working",
  Ready: "ready",
  NotReady: "failed",
  Sleeping: "asleep",
  WriteLimited: "attention",
};

const words: Readonly<Record<string, string>> = {
  CertificateAuthorityRotating: "Rotating",
  NotReady: "Not ready",
  WriteLimited: "Write-limited",
};

/** The state of a hosted control plane. */
export function controlPlaneState({ metadata, status }: TenantControlPlane): State {
  if (metadata.deletionTimestamp !== undefined) return { tone: "working", word: "Deleting" };
  const phase = status?.kubernetesResources?.version?.status ?? "Provisioning";
  return { tone: tones[phase] ?? "unknown", word: words[phase] ?? phase };
}

function replicasText({ spec, status }: TenantControlPlane): string {
  const wanted = spec.controlPlane.deployment.replicas;
  return `${status?.kubernetesResources?.deployment?.readyReplicas ?? 0}/${wanted}`;
}

function storeOf({ spec, status }: TenantControlPlane): string {
  return status?.storage?.dataStoreName ?? spec.dataStore ?? "-";
}

/** Every hosted control plane. */
export const controlPlanes = defineTab<TenantControlPlane>({
  id: "controlPlanes",
  title: "Control planes",
  sources: ["controlPlanes"],
  items: (snapshot) => snapshot.controlPlanes,
  keyOf: ({ metadata }) => keyText(metadata),
  columns: [
    { title: "NAME", value: ({ metadata }) => metadata.name, widest: 40 },
    {
      title: "STATE",
      value: (plane) => stateText(controlPlaneState(plane)),
      look: (plane) => controlPlaneState(plane).tone,
      sortBy: (plane) => toneOrder.indexOf(controlPlaneState(plane).tone),
    },
    {
      title: "VERSION",
      value: ({ spec, status }) => status?.kubernetesResources?.version?.version ?? spec.kubernetes.version,
    },
    { title: "PODS", value: replicasText, align: "right" },
    { title: "DATASTORE", value: storeOf, drop: 1, widest: 20 },
    { title: "ENDPOINT", value: ({ status }) => status?.controlPlaneEndpoint ?? "-", drop: 2, widest: 32 },
    {
      title: "AGE",
      value: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
      sortBy: ({ metadata }) => -Date.parse(metadata.creationTimestamp ?? ""),
      align: "right",
    },
    { title: "NAMESPACE", value: ({ metadata }) => metadata.namespace ?? "", drop: 3, isFilling: true },
  ],
  sort: { column: 0, isDescending: false },
  empty: {
    sentence: "No hosted control planes.",
    hint: "Create a cluster to get one: butlerctl cluster create NAME --team TEAM",
  },
  details: controlPlaneDetails,
});

function controlPlaneDetails(plane: TenantControlPlane, context: DetailsContext): Section[] {
  const { width, snapshot, now } = context;
  const { metadata, status } = plane;
  const state = controlPlaneState(plane);
  const facts: Fact[] = [
    ["Name", keyText(metadata)],
    ["State", stateText(state), state.tone],
    ["Kubernetes", status?.kubernetesResources?.version?.version ?? plane.spec.kubernetes.version],
    ["Pods", `${replicasText(plane)} ready`],
    ["Endpoint", status?.controlPlaneEndpoint],
    ["Datastore", storeOf(plane)],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ];
  const store = snapshot.dataStores.find((each) => each.metadata.name === storeOf(plane));
  return [
    { title: "Control plane", lines: factLines(facts, width) },
    ...conditionSection(status?.conditions, context),
    ...section("Datastore", store === undefined ? [] : storeLines(store, width)),
    ...section("Certificates", certificateLines(plane, context)),
    ...eventSection((event) => eventFacts(event).namespace === metadata.namespace, context),
  ];
}

function storeLines({ spec, status }: DataStore, width: number) {
  const state = readyState(status?.conditions);
  const size = [status?.databaseSize, status?.quota].filter((text) => text !== undefined).join(" of ");
  return factLines(
    [
      ["State", stateText(state), state.tone],
      ["Driver", `${spec.driver} ${status?.version ?? ""}`],
      ["Size", size],
      ["Used by", status?.usedBy === undefined ? "" : `${status.usedBy.length} control planes`],
    ],
    width,
  );
}

/** A certificate that expires this soon should have been renewed. */
const soonMs = 30 * 24 * 3_600_000;

function certificateLines({ status }: TenantControlPlane, { now, width }: DetailsContext) {
  const entries = [...Object.entries(status?.certificates ?? {}), ...Object.entries(status?.kubeconfig ?? {})];
  const found = entries.flatMap(([name, value]) => {
    const end: unknown = isRecord(value) ? value["notAfter"] : undefined;
    return typeof end === "string" ? [{ name, end, leftMs: Date.parse(end) - now.getTime() }] : [];
  });
  if (found.length === 0) return [];
  const rows = found
    .sort((left, right) => left.leftMs - right.leftMs)
    .map(({ name, end, leftMs }) => [
      name,
      end.slice(0, 10),
      leftMs <= 0 ? "expired" : `in ${Math.floor(leftMs / 86_400_000)} days`,
    ]);
  const look = (at: number) => ((found[at]?.leftMs ?? soonMs) < soonMs ? ("attention" as const) : undefined);
  return tableLines([["CERTIFICATE", "VALID UNTIL", "EXPIRES"], ...rows], width, look);
}
