/** Access to infrastructure: whether it is usable, and which clusters use it. */
export { providerConfigController } from "./controller.ts";
export { createProviderConfigPorts } from "./ports.ts";
