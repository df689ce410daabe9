import { NotFound, Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The program that builds, looked up on the path. */
export const goProgram = "go";

const remedy =
  "Install Go from https://go.dev/dl/ and put it on the PATH; or let the binaries come as downloads: unset " +
  "BUTLER_ENGINE_SOURCES, and where the internet is out of reach set the BUTLER_MIRROR_... variables of the engine's " +
  "README to mirrors; or set BUTLER_ENGINE_DIR to a cache that another machine has filled.";

/** The Go version that a go.mod demands. */
export function demandedGoVersion(goMod: string): string {
  const [, version] = /^go\s+(\S+)/m.exec(goMod) ?? [];
  if (version === undefined) throw new NotFound("go.mod has no go line");
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

/** Makes sure that a new enough `go` is on the path; the purpose is the end of a sentence. */
export async function requireGo(
  environment: NodeJS.ProcessEnv,
  { version, purpose }: { readonly version: string; readonly purpose: string },
): Promise<void> {
  const found = await findGoVersion(environment);
  if (found !== undefined && isGoAtLeast(found, version)) return;
  const there = found === undefined ? "there is none" : `${found} is installed`;
  throw new Unavailable(`go ${version} or newer is needed to ${purpose}, and ${there}`, { hint: remedy });
}

async function findGoVersion(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    // Outside of any module: inside one, a Go that is too old refuses before it tells its version.
    const env = { ...environment, GOTOOLCHAIN: "local", GOWORK: "off" };
    return (await run(goProgram, ["env", "GOVERSION"], { env, cwd: tmpdir() })).stdout.trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Unavailable("the installed go does not tell its version", { cause: error, hint: remedy });
  }
}
