export { ipAllocationController } from "./controller.ts";
export { createIpAllocationPorts } from "./ports.ts";
