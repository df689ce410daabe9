import { isLabelValue, isQualifiedName } from "./accepted-text.ts";
import type { PoolInput } from "./machine-provider.ts";

type Labels = Readonly<Record<string, string>>;

/** Domains below which a node may label itself although they are Kubernetes' own (kubelet flag `--node-labels`). */
const kubeletDomains = ["kubelet.kubernetes.io", "node.kubernetes.io"];

/** Further labels of Kubernetes' own that a node may give itself. */
const kubeletKeys = new Set([
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
]);

/** Domains whose labels Cluster API carries from a Machine to its node, as the node itself may not. */
const machineDomains = ["node-restriction.kubernetes.io", "node.cluster.x-k8s.io"];
const roleDomain = "node-role.kubernetes.io";

/** Taints that Kubernetes and Cluster API set and clear themselves. */
const reservedTaintKeys = /^(?:node\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io|node\.cluster\.x-k8s\.io)\//;

/**
 * Of the labels of a pool, those that its nodes may give themselves. The admission plug-in NodeRestriction takes from a node
 * no label below kubernetes.io and k8s.io but for a few, and none at all below node-restriction.kubernetes.io.
 */
export function kubeletLabels(labels: Labels): Record<string, string> {
  return chosen(labels, isForKubelet);
}

/** Of the labels of a pool, those that belong on its Machines, from where Cluster API brings them to the nodes. */
export function machineLabels(labels: Labels): Record<string, string> {
  return chosen(labels, isForMachine);
}

/** What is wrong with the labels and taints of a pool, each as a sentence. */
export function nodeLabelFaults({ name, labels, taints }: PoolInput): string[] {
  const taintNames = taints.map(({ key, effect }) => `${key}:${effect}`);
  return [
    ...Object.entries(labels).flatMap(([key, value]) => labelFault(name, key, value)),
    ...taints.flatMap(({ key, value = "" }) => taintFault(name, key, value)),
    ...taintNames
      .filter((taint, at) => taintNames.indexOf(taint) !== at)
      .map((taint) => `pool ${name} has the taint ${taint} more than once`),
  ];
}

function labelFault(pool: string, key: string, value: string): string[] {
  if (!isQualifiedName(key)) return [`pool ${pool} has a label ${JSON.stringify(key)}, which is no valid label key`];
  if (!isLabelValue(value)) return [`label ${key} of pool ${pool} has a value that is no valid label value`];
  if (isForKubelet(key) || isForMachine(key)) return [];
  return [`label ${key} of pool ${pool} is reserved for Kubernetes; choose a key below a domain of your own`];
}

function taintFault(pool: string, key: string, value: string): string[] {
  if (!isQualifiedName(key)) return [`pool ${pool} has a taint ${JSON.stringify(key)}, which is no valid taint key`];
  if (!isLabelValue(value)) return [`taint ${key} of pool ${pool} has a value that is no valid taint value`];
  return reservedTaintKeys.test(key) ? [`taint ${key} of pool ${pool} is reserved for Kubernetes`] : [];
}

function isForKubelet(key: string): boolean {
  const domain = domainOf(key);
  if (kubeletKeys.has(key) || isBelowAny(domain, kubeletDomains)) return true;
  return !isBelowAny(domain, ["kubernetes.io", "k8s.io", "cluster.x-k8s.io"]);
}

function isForMachine(key: string): boolean {
  const domain = domainOf(key);
  return domain === roleDomain || isBelowAny(domain, machineDomains);
}

function domainOf(key: string): string {
  return key.includes("/") ? key.slice(0, key.indexOf("/")) : "";
}

function isBelowAny(domain: string, parents: readonly string[]): boolean {
  return parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));
}

function chosen(labels: Labels, isChosen: (key: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => isChosen(key)));
}
