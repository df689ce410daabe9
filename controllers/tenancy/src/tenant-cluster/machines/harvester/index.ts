/**
 * Worker machines as virtual machines of Harvester, made by Cluster API's KubeVirt provider (CAPK). Only what is asked for
 * becomes objects here; nothing is read from Harvester.
 */
export { harvesterProvider } from "./harvester.ts";
