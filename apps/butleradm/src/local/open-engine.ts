import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "@butler/cli-kit";
import type { LocalEngine } from "@butler/engine";
import { Unavailable } from "@butler/std";
import type { Command } from "commander";

/** The options of every command about an engine. */
export interface LocalOptions {
  readonly name: string;
}

/** The engine that a command is about. Its code is loaded when an engine is wanted, and not for help. */
export async function openEngine(terminal: Terminal, self: Command): Promise<LocalEngine> {
  const { engineDirectory, LocalEngine: Engine } = await import("@butler/engine");
  if (!existsSync(join(engineDirectory, "tools.lock.json"))) {
    throw new Unavailable("this program was built without the engine", {
      hint: "Run bin/butleradm local in a checkout of Butler: the engine's parts are built there.",
    });
  }
  const { name } = self.optsWithGlobals<LocalOptions>();
  return new Engine({ name, say: terminal.say, signal: terminal.signal });
}
