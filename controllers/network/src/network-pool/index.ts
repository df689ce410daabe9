export { networkPoolController, optionalInfrastructureKinds } from "./controller.ts";
export { createNetworkPoolPorts } from "./ports.ts";
export { followPools } from "./pool-metrics.ts";
