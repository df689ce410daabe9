import type { NetworkLayout } from "./network-layout.ts";

/** The pod network: one bridge, addresses from the pod range, published ports. */
export function buildCniConfig({ bridge, podRange, podGateway, range }: NetworkLayout, stateDirectory: string): object {
  return {
    cniVersion: "1.0.0",
    name: "butler",
    plugins: [
      {
        type: "bridge",
        bridge,
        isGateway: true,
        // Traffic inside the engine keeps its source address; other traffic is masqueraded.
        ipMasq: true,
        ipMasqBackend: "iptables",
        hairpinMode: true,
        ipam: {
          type: "host-local",
          dataDir: stateDirectory,
          ranges: [[{ subnet: podRange, gateway: podGateway }]],
          routes: [{ dst: "0.0.0.0/0" }, { dst: range }],
        },
      },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  };
}
