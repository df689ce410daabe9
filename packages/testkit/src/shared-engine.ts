import { existsSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LocalEngine } from "@butler/engine";
import { noteStarted } from "./tally.ts";

/** Whether this machine can host an engine. */
export const canHostEngine = process.platform === "linux" && process.getuid?.() === 0;

/** Directory of the engines of a test run; `engine-home.ts` sets it and removes its contents at the end. */
export const engineHomeVariable = "BUTLER_TEST_ENGINES";

/** Set if a later lane uses the engines of this one. */
export const keepEnginesVariable = "BUTLER_TEST_KEEP_ENGINES";

const started = new Map<string, Promise<LocalEngine>>();

/**
 * A single-node Kubernetes that the test files of one process use one after another, started and prepared for the first
 * of them. Each user leaves it unchanged; it is removed when the run ends.
 */
export function sharedEngine(
  name: string,
  prepare: (engine: LocalEngine) => Promise<unknown> = () => Promise.resolve(),
): Promise<LocalEngine> {
  const present = started.get(name);
  if (present !== undefined) return present;
  const engine = start(name, prepare);
  started.set(name, engine);
  return engine;
}

async function start(name: string, prepare: (engine: LocalEngine) => Promise<unknown>): Promise<LocalEngine> {
  const home = process.env[engineHomeVariable];
  if (home === undefined) throw new Error(`${engineHomeVariable} is not set; run the test through vitest.config.ts`);
  const engine = new LocalEngine({ name, home: join(home, "engines") });
  const isReady = join(home, `${name}.ready`);
  // An earlier lane may have left it running.
  if (existsSync(isReady)) return engine;
  noteStarted("engine", name);
  await engine.up();
  await prepare(engine);
  await writeFile(isReady, "");
  return engine;
}

/** Removes the engines of a test run, whatever their state. */
export async function removeEngines(home: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await rm(join(home, `${name}.ready`), { force: true });
    await new LocalEngine({ name, home: join(home, "engines") }).reset();
  }
}

/** The names of the engines of a test run. */
export async function enginesIn(home: string): Promise<string[]> {
  return readdir(join(home, "engines")).catch(() => []);
}
