import { Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { lastLines } from "../text-tail.ts";

const run = promisify(execFile);
const shownLines = 10;
// A mirror out of reach must not hold everything up; another process that is installing, too, is waited for.
const patience = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "DPkg::Lock::Timeout=120"];

/** The way to a distribution's packages. */
export interface PackageManager {
  /** Why packages cannot be installed; undefined when they can. */
  readonly findObstacle: () => Promise<string | undefined>;
  readonly install: (packages: readonly string[]) => Promise<void>;
}

/** For whom packages are installed; everything has a default. */
export interface SystemPackagesOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly isRoot?: boolean | undefined;
}

/** The packages of Debian and its relatives. */
export function systemPackages({
  environment = process.env,
  isRoot = process.getuid?.() === 0,
}: SystemPackagesOptions = {}): PackageManager {
  const env = { ...environment, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  const aptGet = (...args: string[]) => run("apt-get", [...patience, ...args], { env, maxBuffer: 64 << 20 });
  return {
    findObstacle: async () => {
      const hasApt = await run("apt-get", ["--version"], { env }).then(
        () => true,
        () => false,
      );
      if (!hasApt) return "this system has no apt-get";
      return isRoot ? undefined : "only root may install packages";
    },
    install: async (packages) => {
      const install = ["install", "--yes", "--no-install-recommends", ...packages];
      try {
        // On a fresh system the list of packages is absent, on an old one it names files that have been replaced.
        await aptGet(...install).catch(async () => {
          await aptGet("update");
          await aptGet(...install);
        });
      } catch (error) {
        throw failedInstallation(packages, error);
      }
    },
  };
}

function failedInstallation(packages: readonly string[], cause: unknown): Unavailable {
  const { stdout = "", stderr = "" } = cause as { readonly stdout?: string; readonly stderr?: string };
  const said = lastLines(stderr || stdout, shownLines);
  return new Unavailable(`apt-get could not install ${packages.join(", ")}:\n${said}`, {
    hint: `Install ${packages.join(" ")} by hand and try again.`,
  });
}
