import type { MachineProvider } from "./machine-provider.ts";

type Addons = ReturnType<MachineProvider["controlPlaneAddons"]>;

/**
 * Steward's add-ons for clusters whose machines are in a separate network: DNS, and the tunnel through which the API
 * server reaches kubelets. Their pod network, Cilium, replaces kube-proxy; unset fields have Steward's defaults.
 */
export const remoteMachineAddons = { coreDNS: {}, konnectivity: {} } as Addons;
