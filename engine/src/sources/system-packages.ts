import { Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { lastLines } from "../text-tail.ts";

const run = promisify(execFile);
const shownLines = 10;
// An unreachable mirror must not block everything; a concurrent installation is waited for.
const patience = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "DPkg::Lock::Timeout=120"];

/** The distribution's package manager. */
export interface PackageManager {
  /** Why packages cannot be installed; undefined when they can. */
  readonly findObstacle: () => Promise<string | undefined>;
  readonly install: (packages: readonly string[]) => Promise<void>;
}

/** How packages are installed; everything has a default. */
export interface SystemPackagesOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly isRoot?: boolean | undefined;
}

/** The package manager of Debian-based distributions. */
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
      if (!hasApt) return "apt-get not found";
      return isRoot ? undefined : "installing packages requires root";
    },
    install: async (packages) => {
      const install = ["install", "--yes", "--no-install-recommends", ...packages];
      try {
        // On a fresh system the package lists are missing, on an old one they refer to replaced files.
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
  return new Unavailable(`apt-get failed to install ${packages.join(", ")}:\n${said}`, {
    hint: `Install ${packages.join(" ")} manually and retry.`,
  });
}
