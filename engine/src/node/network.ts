import { writeFile } from "node:fs/promises";
import { describeError } from "@butler/std";
import {
  type Command,
  createNetworkCommands,
  insideNamespace,
  namespaceSettings,
  outboundRules,
  removeNetworkCommands,
  removeOutboundRules,
} from "./network-commands.ts";
import type { NetworkLayout } from "./network-layout.ts";
import { runCommand } from "./run-command.ts";

/** Makes the engine's network, or completes what is there of it. */
export async function createNetwork(layout: NetworkLayout): Promise<void> {
  for (const command of createNetworkCommands(layout)) await runUnless(command, /File exists/);
  for (const [setting, value] of Object.entries(namespaceSettings)) {
    await runCommand(insideNamespace(layout, ["sh", "-c", `echo ${value} > /proc/sys/${setting}`]));
  }
  await allowOutbound(layout);
}

/** Takes the engine's network away, whatever there is of it. */
export async function removeNetwork(layout: NetworkLayout): Promise<void> {
  for (const command of [...removeOutboundRules(layout), ...removeNetworkCommands(layout)]) {
    await runUnless(command, /No such|Cannot find|does not exist|doesn't exist|Bad rule|No chain/);
  }
}

async function allowOutbound(layout: NetworkLayout): Promise<void> {
  await writeFile("/proc/sys/net/ipv4/ip_forward", "1");
  // The chain is made anew each time, so that it never holds a rule twice.
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
