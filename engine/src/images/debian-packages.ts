import { Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { promisify } from "node:util";
import { lastLines } from "../text-tail.ts";

const run = promisify(execFile);
const aptGet = "/usr/bin/apt-get";

/** The way to a distribution's packages. */
export interface PackageManager {
  /** Why packages cannot be installed; undefined when they can. */
  readonly findObstacle: () => Promise<string | undefined>;
  readonly install: (packages: readonly string[]) => Promise<void>;
}

/** Debian and its relatives. */
export const debianPackages: PackageManager = {
  findObstacle: async () => {
    const hasApt = await access(aptGet, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!hasApt) return "this system has no apt-get";
    return process.getuid?.() === 0 ? undefined : "only root may install packages";
  },
  install: async (packages) => {
    const install = ["install", "--yes", "--no-install-recommends", ...packages];
    try {
      await callAptGet(install);
    } catch {
      // On a fresh system the list of packages is absent, on an old one it names files that have been replaced.
      await callAptGet(["update"]);
      await callAptGet(install);
    }
  },
};

async function callAptGet(args: readonly string[]): Promise<void> {
  // Another process may be installing, too.
  const options = ["-o", "DPkg::Lock::Timeout=60", ...args];
  try {
    await run(aptGet, options, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, maxBuffer: 64 << 20 });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new Unavailable(`apt-get ${args.join(" ")} failed:\n${lastLines(stderr ?? "", 5)}`, { cause: error });
  }
}
