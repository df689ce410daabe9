/**
 * Worker machines as virtual machines on Harvester, created by Cluster API's KubeVirt provider (CAPK). This only
 * renders objects; nothing is read from Harvester.
 */
export { harvesterMachines } from "./harvester.ts";
export { KubevirtCluster, KubevirtMachineTemplate } from "./kinds.ts";
