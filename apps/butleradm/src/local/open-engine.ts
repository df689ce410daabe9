import type { Terminal } from "@butler/cli-kit";
import type { LocalEngine } from "@butler/engine";
import { Unavailable } from "@butler/std";
import type { Command } from "commander";

/** Options of every engine command. */
export interface LocalOptions {
  readonly name: string;
}

/** The engine that a command works on. Its code is loaded on demand, not for help. */
export async function openEngine(terminal: Terminal, self: Command): Promise<LocalEngine> {
  const [{ LocalEngine: Engine }, { hasEngineSources }] = await Promise.all([
    import("@butler/engine"),
    import("./engine-sources.ts"),
  ]);
  if (!hasEngineSources()) {
    throw new Unavailable("this butleradm was built without the engine", {
      hint: "Run bin/butleradm local from a Butler checkout, which can build the engine's components.",
    });
  }
  const { name } = self.optsWithGlobals<LocalOptions>();
  return new Engine({ name, say: terminal.say, signal: terminal.signal });
}
