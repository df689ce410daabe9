import { type ToolName, toolNames } from "./lock-file.ts";

/** The programs of a control plane without nodes, and its client. */
export const controlPlaneTools = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kubectl",
] as const satisfies readonly ToolName[];

/** The programs that turn a machine into a node: container runtime, pod network, kubelet and kube-proxy. */
export const nodeTools = [
  "containerd",
  "containerd-shim-runc-v2",
  "ctr",
  "runc",
  "bridge",
  "loopback",
  "ptp",
  "host-local",
  "portmap",
  "kubelet",
  "kube-proxy",
] as const satisfies readonly ToolName[];

/** The programs of a local engine. */
export const localEngineTools = [...controlPlaneTools, ...nodeTools, "kube-scheduler", "coredns"] as const;

/** The managers of Cluster API. */
export const clusterApiTools = ["capi-core", "capi-kubeadm-bootstrap"] as const satisfies readonly ToolName[];

/** Every program that the engine can install. */
export const allTools: readonly ToolName[] = toolNames;
