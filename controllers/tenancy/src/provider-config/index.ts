/** Access to infrastructure: whether it can be used, and by whom it still is. */
export { providerConfigController } from "./controller.ts";
export { createProviderConfigPorts } from "./ports.ts";
