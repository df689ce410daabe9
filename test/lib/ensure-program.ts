import { existsSync } from "node:fs";
import { systemPackages } from "@butler/engine";
import { Unavailable } from "@butler/std";

/** A program that tests run and that is not part of Butler. */
export interface NeededProgram {
  readonly name: string;
  /** The environment variable that names another copy. */
  readonly variable: string;
  /** Where to look, best first. The package of the distribution puts it into the first. */
  readonly places: readonly [string, ...string[]];
  readonly package: string;
}

/** Finds a program, or installs the package of the distribution. */
export async function ensureProgram({ name, variable, places, package: wanted }: NeededProgram): Promise<string> {
  const named = process.env[variable];
  const found = [...(named === undefined ? [] : [named]), ...places].find((path) => existsSync(path));
  if (found !== undefined) return found;
  const packages = systemPackages();
  const obstacle = await packages.findObstacle();
  if (obstacle !== undefined) {
    throw new Unavailable(`${name} is not installed, and ${obstacle}`, {
      hint: `Install ${name}, or set ${variable} to its path.`,
    });
  }
  await packages.install([wanted]);
  return places[0];
}
