/** Policies about what people may choose when they make a cluster: whether each is in force. */
export { clusterCreationPolicyController } from "./controller.ts";
