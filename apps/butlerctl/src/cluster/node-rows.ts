import type { Machine } from "@butler/api-external";
import { ageOf, type ObjectView, type Style } from "@butler/cli-kit";
import { findCondition, isBeingDeleted } from "@butler/resource";
import type { NodeView } from "@butler/diagnosis";

/** A worker machine and its node; either may be missing. */
export interface NodeRow {
  /** Name of the node, or of the machine until it has joined. */
  readonly name: string;
  readonly status: "Ready" | "NotReady" | "Unknown" | "Joining" | "Leaving";
  readonly pool: string;
  /** Name of the Machine; empty for a node without a Machine. */
  readonly machine: string;
  /** Phase of the machine. */
  readonly phase: string;
  readonly version: string;
  readonly address: string;
  readonly os: string;
  readonly containerRuntime: string;
  readonly cpu: string;
  readonly memory: string;
  readonly createdAt: string;
}

/** Cluster API's label with the name of the MachineDeployment, which is the cluster's and the pool's. */
const deploymentLabel = "cluster.x-k8s.io/deployment-name";

/** Joins machines and nodes. Without nodes, falls back to what the machines report about them. */
export function nodeRows(
  cluster: string,
  machines: readonly Machine[],
  nodes: readonly NodeView[] | undefined,
): NodeRow[] {
  const ofMachines = machines.map((machine) => machineRow(cluster, machine, nodes));
  const known = new Set(machines.map(({ status }) => status?.nodeRef?.name));
  const others = (nodes ?? []).filter(({ name }) => !known.has(name)).map(lonelyNode);
  return [...ofMachines, ...others].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function machineRow(cluster: string, machine: Machine, nodes: readonly NodeView[] | undefined): NodeRow {
  const { metadata, spec, status } = machine;
  const nodeRef = status?.nodeRef;
  const node = nodes?.find(({ name }) => name === nodeRef?.name);
  return {
    name: nodeRef?.name ?? metadata.name,
    status: statusOf(machine, node),
    pool: poolOf(cluster, machine),
    machine: metadata.name,
    phase: lifeOf(machine),
    ...traitsOf(node),
    version: node?.version || (spec.version ?? ""),
    address: node?.internalIP || addressOf(machine),
    createdAt: metadata.creationTimestamp ?? "",
  };
}

function lifeOf(machine: Machine): string {
  return isBeingDeleted(machine) ? "Deleting" : (machine.status?.phase ?? "Pending");
}

function traitsOf(node: NodeView | undefined): Pick<NodeRow, "os" | "containerRuntime" | "cpu" | "memory"> {
  const { os = "", containerRuntime = "", cpu = "", memory = "" } = node ?? {};
  return { os, containerRuntime, cpu, memory };
}

function addressOf({ status }: Machine): string {
  return status?.addresses?.find(({ type }) => type === "InternalIP")?.address ?? "";
}

function statusOf(machine: Machine, node: NodeView | undefined): NodeRow["status"] {
  if (isBeingDeleted(machine)) return "Leaving";
  if (machine.status?.nodeRef === undefined) return "Joining";
  if (node !== undefined) return node.status;
  const readiness = findCondition(machine.status.conditions, "NodeReady")?.status;
  return readiness === "True" ? "Ready" : readiness === "False" ? "NotReady" : "Unknown";
}

function poolOf(cluster: string, { metadata }: Machine): string {
  const deployment = metadata.labels?.[deploymentLabel] ?? "";
  return deployment.startsWith(`${cluster}-`) ? deployment.slice(cluster.length + 1) : deployment;
}

function lonelyNode(node: NodeView): NodeRow {
  const { name, status, version, internalIP: address, os, containerRuntime, cpu, memory, age: createdAt } = node;
  const none = { pool: "", machine: "", phase: "" };
  return { name, status, ...none, version, address, os, containerRuntime, cpu, memory, createdAt };
}

const styles: Readonly<Record<NodeRow["status"], Style>> = {
  Ready: "good",
  NotReady: "bad",
  Unknown: "bad",
  Joining: "busy",
  Leaving: "leaving",
};

/** How nodes are shown in lists. */
export function nodesView(now: () => Date): ObjectView<NodeRow> {
  const orDash = (text: string): string => text || "-";
  return {
    nameOf: ({ name }) => `node/${name}`,
    columns: [
      { title: "NAME", value: ({ name }) => name },
      { title: "STATUS", value: ({ status }) => status, style: ({ status }) => styles[status] },
      { title: "POOL", value: ({ pool }) => orDash(pool) },
      { title: "VERSION", value: ({ version }) => orDash(version) },
      { title: "ADDRESS", value: ({ address }) => orDash(address) },
      { title: "AGE", value: ({ createdAt }) => ageOf(createdAt || undefined, now()) },
      { title: "MACHINE", value: ({ machine }) => orDash(machine), isWide: true },
      { title: "PHASE", value: ({ phase }) => orDash(phase), isWide: true },
      { title: "CPU", value: ({ cpu }) => orDash(cpu), isWide: true },
      { title: "MEMORY", value: ({ memory }) => orDash(memory), isWide: true },
      { title: "OS", value: ({ os }) => orDash(os), isWide: true },
      { title: "RUNTIME", value: ({ containerRuntime }) => orDash(containerRuntime), isWide: true },
    ],
  };
}
