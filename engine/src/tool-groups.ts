import { type ToolName, toolNames } from "./lock-file.ts";

/** What a control plane without nodes consists of, and the client that talks to it. */
export const controlPlaneTools = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kubectl",
] as const satisfies readonly ToolName[];

/** What turns a machine into a node that runs pods: container runtime, pod network, kubelet and kube-proxy. */
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

/** What a local engine runs on. */
export const localEngineTools = [...controlPlaneTools, ...nodeTools, "kube-scheduler", "coredns"] as const;

/** The managers of Cluster API. */
export const clusterApiTools = ["capi-core", "capi-kubeadm-bootstrap"] as const satisfies readonly ToolName[];

/** Every program that the engine can bring. */
export const allTools: readonly ToolName[] = toolNames;
