/** Teams: their namespace, the permissions in it, and the usage of their limits. */
export { teamController } from "./controller.ts";
export { tenantNamespaceBindings } from "./members.ts";
export { createTeamPorts } from "./ports.ts";
