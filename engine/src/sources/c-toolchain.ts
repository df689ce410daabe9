import { describeError, Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemPackages } from "./system-packages.ts";

const run = promisify(execFile);

/** Requirements of a program with C code. */
export interface CToolchainDemand {
  readonly environment: NodeJS.ProcessEnv;
  /** Directory of the program that is linked as a trial. */
  readonly workDirectory: string;
  /** Library names for pkg-config, each with its Debian package. */
  readonly libraries: Readonly<Record<string, string>>;
  /** Receives a message when packages are installed. */
  readonly note: (text: string) => void;
  readonly isRoot?: boolean;
}

interface MissingTools {
  /** The Debian packages that seem to be missing. */
  readonly packages: readonly string[];
  readonly reason: string;
}

/** Makes sure that a static program with the libraries can be linked, by installing missing packages if possible. */
export async function requireCToolchain(demand: CToolchainDemand): Promise<void> {
  const missing = await findMissing(demand);
  if (missing === undefined) return;
  const { environment, note, isRoot } = demand;
  const packages = systemPackages({ environment, isRoot });
  if ((await packages.findObstacle()) !== undefined) throw unbuildable(missing);
  note(`installing ${missing.packages.join(", ")} with apt-get`);
  await packages.install(missing.packages);
  const stillMissing = await findMissing(demand);
  if (stillMissing !== undefined) throw unbuildable(stillMissing);
}

function unbuildable({ packages, reason }: MissingTools): Unavailable {
  return new Unavailable(`cannot build a program that contains C code: ${reason}`, {
    hint:
      `Install ${packages.join(" ")} (Debian and Ubuntu package names; other systems also require the static libraries), ` +
      "or download the released binary: see BUTLER_ENGINE_SOURCES and BUTLER_MIRROR_... in engine/README.md.",
  });
}

async function findMissing(demand: CToolchainDemand): Promise<MissingTools | undefined> {
  const { environment, libraries } = demand;
  // Like Go, which allows a compiler with arguments.
  const compiler = (environment["CC"] || "gcc").trim().split(/\s+/);
  const broughtBy = new Map([
    [compiler[0] ?? "gcc", ["gcc", "libc6-dev"]],
    ["pkg-config", ["pkg-config"]],
  ]);
  const absent: string[] = [];
  for (const program of broughtBy.keys()) if (!(await isInstalled(program, environment))) absent.push(program);
  if (absent.length > 0) {
    const packages = [...absent.flatMap((program) => broughtBy.get(program) ?? []), ...Object.values(libraries)];
    return { packages, reason: `${absent.join(" and ")} not found` };
  }
  try {
    await linkTrial(compiler, demand);
    return undefined;
  } catch (error) {
    return { packages: Object.values(libraries), reason: lastLine(error) };
  }
}

async function isInstalled(program: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  return run(program, ["--version"], { env: environment }).then(
    () => true,
    () => false,
  );
}

/** Links an empty program with the libraries, as the real one will be. */
async function linkTrial(compiler: readonly string[], demand: CToolchainDemand): Promise<void> {
  const { environment, libraries, workDirectory } = demand;
  const names = Object.keys(libraries);
  const flags = await run("pkg-config", ["--cflags", "--libs", "--static", ...names], { env: environment });
  const words = flags.stdout.split(/\s+/).filter((word) => word !== "");
  const [program = "gcc", ...before] = compiler;
  const trial = join(workDirectory, "link-trial");
  await writeFile(`${trial}.c`, "int main(void) { return 0; }\n");
  await run(program, [...before, "-static", "-o", trial, `${trial}.c`, ...words], { env: environment });
}

/** The last line of a failed program's output. */
function lastLine(error: unknown): string {
  const { stderr } = error as { readonly stderr?: string };
  return stderr?.trim().split("\n").at(-1) || describeError(error);
}
