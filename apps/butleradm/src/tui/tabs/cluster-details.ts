import { annotations, clusterState, effectiveMachine, labels, poolSizes, type TenantCluster } from "@butler/api";
import { ageOf } from "@butler/cli-kit";
import { isProtected } from "@butler/cluster-operations";
import { isBeingDeleted, keyText } from "@butler/resource";
import { formatAge } from "@butler/std";
import { workersText } from "@butler/diagnosis";
import { type Line, lineOf } from "../view/line.ts";
import { wrap } from "../view/text.ts";
import { eventFacts } from "./event-facts.ts";
import { conditionSection, eventSection, type Fact, factLines, section, tableLines, textLines } from "./sections.ts";
import type { DetailsContext, Explanation, Section } from "./tab.ts";
import { addonState, stateText } from "./tones.ts";

/** Details of a cluster: properties, diagnosis and parts. */
export function clusterDetails(cluster: TenantCluster, context: DetailsContext): Section[] {
  const { width } = context;
  return [
    { title: "Cluster", lines: factLines(identity(cluster, context.now), width) },
    { title: "Diagnosis", lines: whyLines(context.explanation, width) },
    ...section("Pools", poolLines(cluster, width)),
    ...conditionSection(cluster.status?.conditions, context),
    ...section("Add-ons", addonLines(cluster, context)),
    ...section("Steps", stepLines(cluster, context)),
    ...eventSection((event) => isAbout(cluster, event), context),
  ];
}

function identity(cluster: TenantCluster, now: Date): Fact[] {
  const { metadata, spec, status } = cluster;
  const state = clusterState(cluster);
  const notes = metadata.annotations ?? {};
  return [
    ["Name", keyText(metadata)],
    ["State", stateText(state), state.tone],
    ["Deleting", isBeingDeleted(cluster) ? `for ${ageOf(metadata.deletionTimestamp, now)}` : ""],
    ["Team", spec.teamRef?.name],
    ["Environment", metadata.labels?.[labels.environment]],
    ["Owner", notes[annotations.owner] ?? notes[annotations.creatorEmail]],
    ["Kubernetes", versionFact(cluster)],
    ["Workers", `${workersText(cluster)} ready`],
    ["Endpoint", status?.controlPlaneEndpoint],
    ["Provider", spec.providerConfigRef?.name],
    ["Runs in", status?.tenantNamespace && `namespace ${status.tenantNamespace}`],
    ["Protected", isProtected(cluster) ? "yes (cannot be deleted)" : ""],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ];
}

function versionFact({ spec, status }: TenantCluster): string | undefined {
  const running = status?.observedState?.kubernetesVersion;
  const wanted = spec.kubernetesVersion;
  return running === undefined || wanted === undefined || running === wanted
    ? (running ?? wanted)
    : `${running}, upgrading to ${wanted}`;
}

const findingTones = { well: "ready", busy: "working", stuck: "failed" } as const;

/** The diagnosis with the next step and the chain of causes. */
export function whyLines(explanation: Explanation | undefined, width: number): Line[] {
  if (explanation === undefined) return [lineOf("diagnosing …", "faint")];
  if (explanation.state === "failed") return textLines(`diagnosis failed: ${explanation.why}`, width, "attention");
  const { state, sentence, nextStep, chain } = explanation.finding;
  const way = chain.flatMap((link, depth) => {
    const indent = depth === 0 ? "" : `${"  ".repeat(depth - 1)}└ `;
    const pieces = wrap(link, width - indent.length);
    return pieces.map((piece, at) => lineOf((at === 0 ? indent : " ".repeat(indent.length)) + piece, "faint"));
  });
  return [
    ...textLines(sentence, width, findingTones[state]),
    ...(state === "well" ? [] : [...textLines(`Next: ${nextStep}`, width, "strong"), ...way]),
  ];
}

function poolLines(cluster: TenantCluster, width: number): Line[] {
  const { spec, status } = cluster;
  const main = effectiveMachine(spec.workers.machineTemplate);
  const rows = poolSizes(cluster.spec).map(({ name, replicas }) => {
    const own = spec.workerPools?.find((pool) => pool.name === name)?.machineTemplate;
    const { cpu, memory, diskSize, os } = own === undefined ? main : effectiveMachine(own, main);
    const seen = status?.pools?.find((pool) => pool.name === name);
    const machine = `${cpu} CPU, ${memory}, disk ${diskSize}, ${os.type} ${os.version}`;
    return [name, String(replicas), String(seen?.ready ?? "-"), String(seen?.upToDate ?? "-"), machine];
  });
  return tableLines([["NAME", "DESIRED", "READY", "UP TO DATE", "MACHINE"], ...rows], width);
}

function addonLines(cluster: TenantCluster, { snapshot, width }: DetailsContext): Line[] {
  const own = snapshot.addons.filter(
    ({ metadata, spec }) =>
      metadata.namespace === cluster.metadata.namespace && spec.clusterRef.name === cluster.metadata.name,
  );
  const states = own.map(({ spec, status }) => addonState(status?.phase ?? "Pending", spec.paused === true));
  const rows = own.map(({ metadata, spec, status }, at) => [
    metadata.name,
    status?.installedVersion ?? spec.version ?? "-",
    stateText(states[at] ?? { tone: "unknown", word: "" }),
    status?.message ?? "",
  ]);
  if (rows.length === 0) return [];
  return tableLines([["NAME", "VERSION", "STATE", "MESSAGE"], ...rows], width, (at) => states[at]?.tone);
}

function stepLines({ status }: TenantCluster, { width, now }: DetailsContext): Line[] {
  const rows = (status?.steps ?? []).map(({ name, startedAt, finishedAt }) => [
    name,
    finishedAt === undefined
      ? `${ageOf(startedAt, now)} so far`
      : formatAge(Date.parse(finishedAt) - Date.parse(startedAt)),
  ]);
  return rows.length === 0 ? [] : tableLines([["STEP", "DURATION"], ...rows], width);
}

/** Events about the cluster itself, and about everything in its tenant namespace. */
function isAbout({ metadata, status }: TenantCluster, event: Parameters<typeof eventFacts>[0]): boolean {
  const { namespace, kind, name } = eventFacts(event);
  if (namespace === metadata.namespace && kind === "TenantCluster" && name === metadata.name) return true;
  return status?.tenantNamespace !== undefined && namespace === status.tenantNamespace;
}
