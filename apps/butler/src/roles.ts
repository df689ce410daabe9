import type { StartRole } from "./role.ts";

/** What `butler <role>` can be. Each role is loaded only when it is the one to run, and so is all that it alone needs. */
export const roles: Readonly<Record<string, () => Promise<StartRole>>> = {
  controller: async () => (await import("./controller.ts")).controller,
  "local-node": async () => (await import("./local-node.ts")).localNode,
  "local-provider": async () => (await import("./local-provider.ts")).localProvider,
  server: async () => (await import("./server.ts")).server,
  "sni-gateway": async () => (await import("@butler/steward/sni-gateway")).sniGatewayRole,
  steward: async () => (await import("./steward.ts")).steward,
};
