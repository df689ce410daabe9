import { existsSync } from "node:fs";
import { join } from "node:path";
import { engineDirectory } from "@butler/engine";

/** Whether this program runs in a checkout, from which it can build the engine's components. */
export function hasEngineSources(): boolean {
  return existsSync(join(engineDirectory, "tools.lock.json"));
}
