import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineHomeVariable, enginesIn, keepEnginesVariable, removeEngines } from "./shared-engine.ts";

/** vitest's global setup and teardown of a lane: no engine outlives its lane. */
export async function setup(): Promise<() => Promise<void>> {
  const isGiven = process.env[engineHomeVariable] !== undefined;
  const home = (process.env[engineHomeVariable] ??= await mkdtemp(join(tmpdir(), "butler-lane-")));
  const before = await enginesIn(home);
  return async () => {
    if (process.env[keepEnginesVariable] !== undefined) return;
    const own = (await enginesIn(home)).filter((name) => !before.includes(name));
    await removeEngines(home, own);
    if (!isGiven) await rm(home, { recursive: true, force: true });
  };
}
