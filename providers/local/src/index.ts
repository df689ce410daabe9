/**
 * A Cluster API infrastructure provider (contract v1beta2) whose machines are pods of the management
 * cluster: for laptops, tests and trusted tenants. It runs the bootstrap data of Cluster API's kubeadm provider, so a
 * machine joins with a real `kubeadm join`. It creates neither control planes nor networks between machines.
 */
import { localClusterController } from "./local-cluster/controller.ts";
import { localMachineController } from "./local-machine/controller.ts";

export { localProviderClusterApiAccess } from "./cluster-api-access.ts";
export { localClusterController } from "./local-cluster/controller.ts";
export { localMachineController } from "./local-machine/controller.ts";
export * from "./local-machine/node-contract.ts";
export * from "./ports/control-plane-probe.ts";
export * from "./ports/local-provider-ports.ts";
export * from "./ports/node-images.ts";
export * from "./ports/provider-id-writer.ts";

/** All controllers of the provider, for a process to run and for its permissions. */
export const localProviderControllers = [localClusterController, localMachineController] as const;
