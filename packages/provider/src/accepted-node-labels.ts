import { isLabelValue, isQualifiedName } from "./accepted-text.ts";
import type { PoolInput } from "./machine-provider.ts";

type Labels = Readonly<Record<string, string>>;

/** Kubernetes domains below which a node may label itself (kubelet flag `--node-labels`). */
const kubeletDomains = ["kubelet.kubernetes.io", "node.kubernetes.io"];

/** Further Kubernetes labels that a node may set on itself. */
const kubeletKeys = new Set([
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
]);

/** Domains whose labels Cluster API copies from a Machine to its node, because the node may not set them. */
const machineDomains = ["node-restriction.kubernetes.io", "node.cluster.x-k8s.io"];
const roleDomain = "node-role.kubernetes.io";

/** Taints that Kubernetes and Cluster API manage. */
const reservedTaintKeys = /^(?:node\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io|node\.cluster\.x-k8s\.io)\//;

/**
 * The labels of a pool that its nodes may set on themselves. The NodeRestriction admission plugin rejects
 * most labels below kubernetes.io and k8s.io, and all below node-restriction.kubernetes.io.
 */
export function kubeletLabels(labels: Labels): Record<string, string> {
  return chosen(labels, isForKubelet);
}

/** The labels of a pool that belong on its Machines, from which Cluster API copies them to the nodes. */
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
      .map((taint) => `duplicate taint ${taint} in pool ${name}`),
  ];
}

function labelFault(pool: string, key: string, value: string): string[] {
  if (!isQualifiedName(key)) return [`label key ${JSON.stringify(key)} in pool ${pool} is invalid`];
  if (!isLabelValue(value)) return [`value of label ${key} in pool ${pool} is invalid`];
  if (isForKubelet(key) || isForMachine(key)) return [];
  return [`label ${key} in pool ${pool} is reserved for Kubernetes; use a key with your own domain as prefix`];
}

function taintFault(pool: string, key: string, value: string): string[] {
  if (!isQualifiedName(key)) return [`taint key ${JSON.stringify(key)} in pool ${pool} is invalid`];
  if (!isLabelValue(value)) return [`value of taint ${key} in pool ${pool} is invalid`];
  return reservedTaintKeys.test(key) ? [`taint ${key} in pool ${pool} is reserved for Kubernetes`] : [];
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
