/** Teams: their namespace, who may do what in it, and what they use of their limits. */
export { teamController } from "./controller.ts";
export { tenantNamespaceBindings } from "./members.ts";
export { createTeamPorts } from "./ports.ts";
