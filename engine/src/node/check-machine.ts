import { systemPackages } from "../sources/system-packages.ts";
import type { EnginePaths } from "./engine-paths.ts";
import { raiseInotifyLimit } from "./inotify-limit.ts";
import { findMachineProblems, findMissingPrograms, packagesOf, refuseProblems } from "./machine-checks.ts";
import { readMachineFacts } from "./machine-facts.ts";

/** The engine to run on this machine, and the receiver of installation messages. */
export interface MachineDemand {
  readonly home: string;
  readonly paths: EnginePaths;
  readonly say: (sentence: string) => void;
}

/**
 * Makes sure that the engine can run on this machine: installs programs and raises limits if possible, and throws with
 * a remedy otherwise.
 */
export async function ensureFitMachine({ home, paths, say }: MachineDemand): Promise<void> {
  const look = () => readMachineFacts(home, paths.controlPlane.etcdData);
  const facts = await look();
  // Nothing is installed on an unsuitable machine.
  refuseProblems(findMachineProblems({ ...facts, missingPrograms: [] }));
  await raiseInotifyLimit(say);
  if (facts.missingPrograms.length === 0) return;
  await installMissingPrograms(say);
  refuseProblems(findMachineProblems(await look()));
}

/** Installs the programs that every engine on this machine needs. Does nothing if packages cannot be installed. */
export async function installMissingPrograms(say: (sentence: string) => void): Promise<void> {
  const missing = findMissingPrograms();
  if (missing.length === 0) return;
  const packages = systemPackages();
  if ((await packages.findObstacle()) !== undefined) return;
  const names = packagesOf(missing);
  say(`installing ${names.join(", ")} with apt-get`);
  await packages.install(names);
}
