import { writeFile } from "node:fs/promises";
import { Conflict, describeError } from "@butler/std";
import {
  type Command,
  createNetworkCommands,
  insideNamespace,
  isPair,
  namespaceSettings,
  outboundRules,
  removeNetworkCommands,
  removeOutboundRules,
} from "./network-commands.ts";
import type { NetworkLayout } from "./network-layout.ts";
import { findRangeConflicts, type Route } from "./range-conflicts.ts";
import { runCommand } from "./run-command.ts";

const isAbsent = /No such|Cannot find|does not exist|doesn't exist|Bad rule|No chain/;

/** Creates the engine's network, or completes an existing one; unusable parts are recreated. */
export async function createNetwork(layout: NetworkLayout): Promise<void> {
  const [conflict] = findRangeConflicts(layout, await readRoutes());
  if (conflict !== undefined) {
    throw new Conflict(`interface ${conflict} uses addresses in the engine's range ${layout.range}`, {
      hint: `Delete the interface (ip link delete ${conflict}) or change its addresses. A new engine picks a free range automatically.`,
    });
  }
  await removeBroken(layout);
  for (const command of createNetworkCommands(layout)) await runUnless(command, /File exists/);
  for (const [setting, value] of Object.entries(namespaceSettings)) {
    await runCommand(insideNamespace(layout, ["sh", "-c", `echo ${value} > /proc/sys/${setting}`]));
  }
  await allowOutbound(layout);
}

/** Deletes the engine's network, or any parts of it. */
export async function removeNetwork(layout: NetworkLayout): Promise<void> {
  for (const command of [...removeOutboundRules(layout), ...removeNetworkCommands(layout)]) {
    await runUnless(command, isAbsent);
  }
}

/** The routes of this machine. */
export async function readRoutes(): Promise<Route[]> {
  return JSON.parse(await runCommand(["ip", "-json", "route"])) as Route[];
}

/** Removes an empty namespace mount, and interfaces that do not form a pair, as left by a crash or a user. */
async function removeBroken(layout: NetworkLayout): Promise<void> {
  const { namespace, hostInterface, nodeInterface } = layout;
  const output = (command: Command): Promise<string> => runCommand(command).catch(() => "");
  if ((await output(insideNamespace(layout, ["echo", "alive"]))) === "") {
    await runUnless(["ip", "netns", "delete", namespace], isAbsent);
  }
  const outside = await output(["ip", "-o", "link", "show", "dev", hostInterface]);
  const inside = await output(insideNamespace(layout, ["ip", "-o", "link", "show", "dev", nodeInterface]));
  if (isPair(outside, inside)) return;
  await runUnless(["ip", "link", "delete", hostInterface], isAbsent);
  if (inside !== "") await runUnless(insideNamespace(layout, ["ip", "link", "delete", nodeInterface]), isAbsent);
}

async function allowOutbound(layout: NetworkLayout): Promise<void> {
  await writeFile("/proc/sys/net/ipv4/ip_forward", "1");
  // The chain is recreated each time, so that it never contains a rule twice.
  for (const command of removeOutboundRules(layout)) await runCommand(command).catch(() => undefined);
  for (const command of outboundRules(layout)) await runCommand(command);
}

async function runUnless(command: Command, harmless: RegExp): Promise<void> {
  try {
    await runCommand(command);
  } catch (error) {
    if (!harmless.test(describeError(error))) throw error;
  }
}
