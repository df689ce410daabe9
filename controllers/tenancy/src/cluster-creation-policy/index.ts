/** Policies that restrict the options of new clusters: whether each is in force. */
export { clusterCreationPolicyController } from "./controller.ts";
