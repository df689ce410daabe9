import type { NetworkLayout } from "./network-layout.ts";

/** A command line. */
export type Command = readonly [program: string, ...args: string[]];

/** Runs a program inside the engine's network namespace; unlike `ip netns exec` this keeps /sys unchanged. */
export function insideNamespace({ namespace }: NetworkLayout, command: Command): Command {
  return ["nsenter", `--net=/run/netns/${namespace}`, "--", ...command];
}

/** The commands that create the engine's network, in order. Each fails harmlessly if its object exists already. */
export function createNetworkCommands(layout: NetworkLayout): readonly Command[] {
  const { namespace, hostInterface, nodeInterface, hostAddress, nodeAddress, linkPrefix, range, serviceRange } = layout;
  const inside = (...command: Command): Command => insideNamespace(layout, command);
  return [
    ["ip", "netns", "add", namespace],
    ["ip", "link", "add", hostInterface, "type", "veth", "peer", "name", nodeInterface, "netns", namespace],
    ["ip", "address", "replace", `${hostAddress}/${linkPrefix}`, "dev", hostInterface],
    ["ip", "link", "set", hostInterface, "up"],
    inside("ip", "link", "set", "lo", "up"),
    inside("ip", "address", "replace", `${nodeAddress}/${linkPrefix}`, "dev", nodeInterface),
    inside("ip", "link", "set", nodeInterface, "up"),
    inside("ip", "route", "replace", "default", "via", hostAddress),
    ["ip", "route", "replace", range, "via", nodeAddress],
    ["ip", "route", "replace", serviceRange, "via", nodeAddress],
  ];
}

/** The commands that delete the engine's network. Deleting the namespace deletes everything in it. */
export function removeNetworkCommands({ namespace, hostInterface }: NetworkLayout): readonly Command[] {
  return [
    ["ip", "link", "delete", hostInterface],
    ["ip", "netns", "delete", namespace],
  ];
}

/** Kernel settings inside the namespace that pods and Services need. */
export const namespaceSettings: Readonly<Record<string, string>> = {
  "net/ipv4/ip_forward": "1",
  "net/bridge/bridge-nf-call-iptables": "1",
};

/** The chain that allows outbound traffic of the engine's pods, so that images can be pulled. */
export function outboundRules({ range, hostInterface }: NetworkLayout): readonly Command[] {
  const chain = hostInterface.toUpperCase();
  return [
    ["iptables", "-t", "nat", "-N", chain],
    ["iptables", "-t", "nat", "-A", chain, "-s", range, "!", "-d", range, "-j", "MASQUERADE"],
    ["iptables", "-t", "nat", "-A", "POSTROUTING", "-s", range, "-j", chain],
  ];
}

/** Deletes the chain. */
export function removeOutboundRules({ range, hostInterface }: NetworkLayout): readonly Command[] {
  const chain = hostInterface.toUpperCase();
  return [
    ["iptables", "-t", "nat", "-D", "POSTROUTING", "-s", range, "-j", chain],
    ["iptables", "-t", "nat", "-F", chain],
    ["iptables", "-t", "nat", "-X", chain],
  ];
}

/** Whether two lines of `ip -o link`, one from each side, show the two ends of one pair. */
export function isPair(outside: string, inside: string): boolean {
  const [own, other] = [parseLink(outside), parseLink(inside)];
  return own !== undefined && other !== undefined && own.index === other.peer && own.peer === other.index;
}

function parseLink(line: string): { index: string; peer: string } | undefined {
  const [, index, peer] = /^(\d+): [^@:\s]+@if(\d+):/.exec(line) ?? [];
  return index === undefined || peer === undefined ? undefined : { index, peer };
}
