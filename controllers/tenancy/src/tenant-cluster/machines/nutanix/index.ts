/**
 * Worker machines as virtual machines of a Nutanix cluster, made by Cluster API's Nutanix provider (CAPX) through Prism
 * Central. Only what is asked for becomes objects here; nothing is read from Nutanix.
 */
export { nutanixProvider } from "./nutanix.ts";
