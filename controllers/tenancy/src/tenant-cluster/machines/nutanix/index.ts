/**
 * Worker machines as virtual machines on a Nutanix cluster, created by Cluster API's Nutanix provider (CAPX) through
 * Prism Central. This only renders objects; nothing is read from Nutanix.
 */
export { nutanixProvider } from "./nutanix.ts";
