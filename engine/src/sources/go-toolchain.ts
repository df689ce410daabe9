import { NotFound, Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The Go command, found on the PATH. */
export const goProgram = "go";

const remedy =
  "Install Go from https://go.dev/dl/ and add it to PATH. To download the binaries instead, unset BUTLER_ENGINE_SOURCES; " +
  "without internet access, also set the BUTLER_MIRROR_... variables to mirrors (see engine/README.md). To use a cache " +
  "filled on another machine, set BUTLER_ENGINE_DIR.";

/** The required Go version of a go.mod. */
export function demandedGoVersion(goMod: string): string {
  const [, version] = /^go\s+(\S+)/m.exec(goMod) ?? [];
  if (version === undefined) throw new NotFound("go.mod has no go directive");
  return version;
}

/** Whether one Go version (`1.26.8`, with or without `go` in front) is at least another. */
export function isGoAtLeast(found: string, demanded: string): boolean {
  const [left, right] = [numbersOf(found), numbersOf(demanded)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbersOf(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? "0").split(".").map(Number);
}

/** Makes sure that a recent enough `go` is on the PATH; the purpose is an infinitive for messages. */
export async function requireGo(
  environment: NodeJS.ProcessEnv,
  { version, purpose }: { readonly version: string; readonly purpose: string },
): Promise<void> {
  const found = await findGoVersion(environment);
  if (found !== undefined && isGoAtLeast(found, version)) return;
  const there = found === undefined ? "Go is not installed" : `${found} is installed`;
  throw new Unavailable(`Go ${version} or newer is required to ${purpose}, but ${there}`, { hint: remedy });
}

async function findGoVersion(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    // Outside of any module: inside one, a Go that is too old fails before it prints its version.
    const env = { ...environment, GOTOOLCHAIN: "local", GOWORK: "off" };
    return (await run(goProgram, ["env", "GOVERSION"], { env, cwd: tmpdir() })).stdout.trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Unavailable("cannot determine the installed Go version", { cause: error, hint: remedy });
  }
}
