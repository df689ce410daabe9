import { systemPackages } from "../sources/system-packages.ts";
import type { EnginePaths } from "./engine-paths.ts";
import { findObstacles, packagesOf, refuseObstacles } from "./machine-checks.ts";
import { readMachineFacts } from "./machine-facts.ts";

/** Which engine is to live on this machine, and who hears what is installed for it. */
export interface MachineDemand {
  readonly home: string;
  readonly paths: EnginePaths;
  readonly say: (sentence: string) => void;
}

/** Makes sure that the engine can live here: installs programs where that is possible, and refuses with a remedy. */
export async function ensureFitMachine({ home, paths, say }: MachineDemand): Promise<void> {
  const look = () => readMachineFacts(home, paths.controlPlane.etcdData);
  const facts = await look();
  // Nothing is installed on a machine that will not do anyway.
  refuseObstacles(findObstacles({ ...facts, missingPrograms: [] }));
  if (facts.missingPrograms.length === 0) return;
  const packages = systemPackages();
  if ((await packages.findObstacle()) === undefined) {
    const names = packagesOf(facts.missingPrograms);
    say(`installing ${names.join(", ")} with apt-get`);
    await packages.install(names);
  }
  refuseObstacles(findObstacles(await look()));
}
