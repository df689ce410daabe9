import { Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { lastLines } from "../text-tail.ts";

const run = promisify(execFile);
const shownLines = 10;

/** Whether this process may install packages of the distribution: it is root and there is apt. */
export async function canInstallSystemPackages(on: {
  readonly environment: NodeJS.ProcessEnv;
  readonly isRoot?: boolean | undefined;
}): Promise<boolean> {
  if (!(on.isRoot ?? process.getuid?.() === 0)) return false;
  return run("apt-get", ["--version"], { env: on.environment }).then(
    () => true,
    () => false,
  );
}

/** Which packages to install. */
export interface SystemPackages {
  readonly packages: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Tells the person what is being installed. */
  readonly note: (text: string) => void;
}

/** Installs packages with apt, after it has fetched the present lists. */
export async function installSystemPackages({ packages, environment, note }: SystemPackages): Promise<void> {
  note(`installing ${packages.join(", ")} with apt-get`);
  const patience = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "DPkg::Lock::Timeout=120"];
  const env = { ...environment, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  try {
    await run("apt-get", [...patience, "update"], { env });
    await run("apt-get", [...patience, "install", "--yes", "--no-install-recommends", ...packages], { env });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Unavailable(
      `apt-get could not install ${packages.join(", ")}:\n${lastLines(stderr || stdout, shownLines)}`,
      {
        hint: `Install ${packages.join(" ")} by hand and try again.`,
      },
    );
  }
}
