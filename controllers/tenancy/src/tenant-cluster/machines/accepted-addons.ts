import type { MachineProvider } from "./machine-provider.ts";

type Addons = ReturnType<MachineProvider["controlPlaneAddons"]>;

/**
 * What Steward puts into clusters whose machines are in a network of their own: names, and the tunnel by which the API server
 * reaches kubelets. Their pod network, Cilium, does what kube-proxy would; what is left open here has Steward's defaults.
 */
export const remoteMachineAddons = { coreDNS: {}, konnectivity: {} } as Addons;
