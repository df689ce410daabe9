/**
 * Worker machines as virtual machines on a Nutanix cluster, created by Cluster API's Nutanix provider (CAPX) through
 * Prism Central. This only renders objects; nothing is read from Nutanix.
 */
export { nutanixMachines } from "./nutanix.ts";
export { NutanixCluster, NutanixMachineTemplate } from "./kinds.ts";
