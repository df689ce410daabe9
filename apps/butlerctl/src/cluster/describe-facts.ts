import { annotations, clusterPhase, effectiveMachine, poolSizes, type TenantCluster } from "@butler/api";
import {
  ageOf,
  type Column,
  type Fact,
  factLines,
  formatAge,
  type Paint,
  plainPaint,
  printable,
  renderRows,
  renderTable,
  section,
  type Style,
} from "@butler/cli-kit";
import type { Machine, Pod } from "@butler/api-external";
import { isProtected } from "@butler/cluster-operations";
import { type Condition, isBeingDeleted } from "@butler/resource";
import { environmentOf, phaseStyle, versionText } from "./cluster-view.ts";
import { unreadableLines } from "./unreadable-lines.ts";
import { type ClusterFacts, controlPlanePods, providerKey, type Warning, why, workersText } from "@butler/diagnosis";

/** How many warnings are worth reading at once. */
const shownWarnings = 8;

/** A cluster in full, problems first. */
export function describeFacts(facts: ClusterFacts, paint: Paint = plainPaint): string[] {
  const found = why(facts);
  return [
    ...overview(facts, paint),
    "",
    paint(found.state === "stuck" ? "bad" : found.state === "busy" ? "busy" : "good", found.sentence),
    ...(found.state === "well" ? [] : [`Next: ${found.nextStep}`]),
    ...section("Conditions", conditionTable(facts, paint)),
    ...section("Pools", poolTable(facts.cluster)),
    ...section("Machines", machineTable(facts, paint)),
    ...section("Control plane", podTable(facts, paint)),
    ...section("Steps", stepTable(facts.cluster)),
    ...section("Values", originTable(facts.cluster)),
    ...section("Warnings", warningTable(facts)),
    ...unreadableLines(facts),
  ];
}

function overview(facts: ClusterFacts, paint: Paint): string[] {
  return factLines([...identityFacts(facts.cluster), ...stateFacts(facts, paint)], 13);
}

function identityFacts(cluster: TenantCluster): Fact[] {
  const { metadata, spec } = cluster;
  const notes = metadata.annotations ?? {};
  return [
    ["Name", metadata.name],
    ["Namespace", metadata.namespace],
    ["Team", spec.teamRef?.name],
    ["Environment", environmentOf(cluster)],
    ["Owner", notes[annotations.owner] ?? notes[annotations.creatorEmail]],
    ["Paused", spec.paused ? "yes (changes are applied once spec.paused is false)" : ""],
    ["Protected", isProtected(cluster) ? "yes (cannot be deleted)" : ""],
  ];
}

function stateFacts({ cluster, provider, now }: ClusterFacts, paint: Paint): Fact[] {
  const { metadata, status = {} } = cluster;
  const phase = clusterPhase(cluster);
  const providerType = provider === undefined ? "" : ` (${provider.spec.provider})`;
  const key = providerKey(cluster);
  return [
    ["Phase", paint(phaseStyle(phase), phase)],
    ["Kubernetes", versionText(cluster)],
    ["Endpoint", status.controlPlaneEndpoint],
    ["Provider", key && `${key.name}${providerType}`],
    ["Workers", `${workersText(cluster)} ready`],
    ["Runs in", status.tenantNamespace && `namespace ${status.tenantNamespace}`],
    ["Age", ageOf(metadata.creationTimestamp, now)],
    ["Deleting", isBeingDeleted(cluster) ? `for ${ageOf(metadata.deletionTimestamp, now)}` : ""],
  ];
}

/** Conditions that are true when something is wrong. */
const negative = new Set(["Paused", "DeletionOverdue"]);

function conditionStyle({ type, status }: Condition): Style {
  if (status === "Unknown") return "faint";
  return (status === "True") === negative.has(type) ? "bad" : "good";
}

function conditionTable({ cluster, now }: ClusterFacts, paint: Paint): string[] {
  const conditions = cluster.status?.conditions ?? [];
  const rank = (condition: Condition): number => ["bad", "faint", "good"].indexOf(conditionStyle(condition));
  const columns: readonly Column<Condition>[] = [
    { title: "TYPE", value: ({ type }) => type },
    { title: "STATUS", value: ({ status }) => status, style: conditionStyle },
    { title: "SINCE", value: ({ lastTransitionTime }) => ageOf(lastTransitionTime, now) },
    { title: "REASON", value: ({ reason }) => reason },
    { title: "MESSAGE", value: ({ message }) => message },
  ];
  const sorted = [...conditions].sort((left, right) => rank(left) - rank(right));
  return renderRows(columns, sorted, { paint });
}

interface PoolRow {
  readonly name: string;
  readonly desired: number;
  readonly machine: string;
  readonly ready: string;
  readonly upToDate: string;
}

function poolTable(cluster: TenantCluster): string[] {
  const { spec, status } = cluster;
  const main = effectiveMachine(spec.workers.machineTemplate);
  const rows = poolSizes(cluster.spec).map(({ name, replicas }): PoolRow => {
    const own = spec.workerPools?.find((pool) => pool.name === name)?.machineTemplate;
    const { cpu, memory, diskSize, os } = own === undefined ? main : effectiveMachine(own, main);
    const seen = status?.pools?.find((pool) => pool.name === name);
    return {
      name,
      desired: replicas,
      machine: `${cpu} CPU, ${memory}, disk ${diskSize}, ${os.type} ${os.version}`,
      ready: seen === undefined ? "-" : String(seen.ready),
      upToDate: seen === undefined ? "-" : String(seen.upToDate),
    };
  });
  const columns: readonly Column<PoolRow>[] = [
    { title: "NAME", value: ({ name }) => name },
    { title: "DESIRED", value: ({ desired }) => String(desired) },
    { title: "READY", value: ({ ready }) => ready },
    { title: "UP-TO-DATE", value: ({ upToDate }) => upToDate },
    { title: "MACHINE SPEC", value: ({ machine }) => machine },
  ];
  return renderTable(columns, rows);
}

function machineTable({ machines, now }: ClusterFacts, paint: Paint): string[] {
  const columns: readonly Column<Machine>[] = [
    { title: "NAME", value: ({ metadata }) => metadata.name },
    {
      title: "PHASE",
      value: (machine) => (isBeingDeleted(machine) ? "Deleting" : (machine.status?.phase ?? "Pending")),
      style: (machine) =>
        isBeingDeleted(machine) ? "leaving" : machine.status?.phase === "Failed" ? "bad" : undefined,
    },
    { title: "VERSION", value: ({ spec }) => spec.version ?? "" },
    { title: "NODE", value: ({ status }) => status?.nodeRef?.name ?? "-" },
    { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now) },
  ];
  return renderRows(columns, machines, { paint });
}

function podTable(facts: ClusterFacts, paint: Paint): string[] {
  const ready = ({ status }: Pod): string => {
    const containers = status?.containerStatuses ?? [];
    return `${containers.filter((container) => container.ready).length}/${containers.length}`;
  };
  const restarts = ({ status }: Pod): number =>
    (status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
  const columns: readonly Column<Pod>[] = [
    { title: "POD", value: ({ metadata }) => metadata.name },
    { title: "READY", value: ready },
    { title: "PHASE", value: ({ status }) => status?.phase ?? "Pending" },
    {
      title: "RESTARTS",
      value: (pod) => String(restarts(pod)),
      style: (pod) => (restarts(pod) > 0 ? "busy" : undefined),
    },
    { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, facts.now) },
  ];
  const pods = controlPlanePods(facts);
  return renderRows(columns, pods, { paint });
}

type Step = NonNullable<NonNullable<TenantCluster["status"]>["steps"]>[number];

function stepTable({ status }: TenantCluster): string[] {
  const took = ({ startedAt, finishedAt }: Step): string =>
    finishedAt === undefined ? "in progress" : formatAge(Date.parse(finishedAt) - Date.parse(startedAt));
  const columns: readonly Column<Step>[] = [
    { title: "STEP", value: ({ name }) => name },
    { title: "DURATION", value: took },
  ];
  return renderRows(columns, status?.steps);
}

type Origin = NonNullable<NonNullable<TenantCluster["status"]>["origins"]>[number];

function originTable({ status }: TenantCluster): string[] {
  const columns: readonly Column<Origin>[] = [
    { title: "FIELD", value: ({ field }) => field },
    { title: "VALUE", value: ({ value }) => value },
    { title: "FROM", value: ({ from }) => from },
  ];
  return renderRows(columns, status?.origins);
}

function warningTable({ warnings, now }: ClusterFacts): string[] {
  const columns: readonly Column<Warning>[] = [
    { title: "LAST SEEN", value: ({ lastSeen }) => ageOf(lastSeen === "" ? undefined : lastSeen, now) },
    { title: "COUNT", value: ({ count }) => String(count) },
    { title: "OBJECT", value: ({ object }) => `${object.kind}/${object.name}` },
    { title: "REASON", value: ({ reason }) => reason },
    { title: "MESSAGE", value: ({ message }) => printable(message) },
  ];
  return renderRows(columns, warnings.slice(0, shownWarnings));
}
