import type { StartRole } from "./role.ts";

/** The roles of `butler <role>`. A role and its dependencies are loaded only when it is run. */
export const roles: Readonly<Record<string, () => Promise<StartRole>>> = {
  controller: async () => (await import("./controller.ts")).controller,
  "local-node": async () => (await import("./local-node.ts")).localNode,
  "local-provider": async () => (await import("./local-provider.ts")).localProvider,
  server: async () => (await import("./server.ts")).server,
  "sni-gateway": async () => (await import("@butler/steward/sni-gateway")).sniGatewayRole,
  steward: async () => (await import("./steward.ts")).steward,
};
