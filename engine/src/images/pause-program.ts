import { Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const source = fileURLToPath(new URL("../../pause/pause.c", import.meta.url));

/** Where the program goes, and which compiler makes it. */
export interface PauseProgramOptions {
  readonly output: string;
  /** `gcc` by default; any compiler that understands its flags. */
  readonly compiler?: string;
}

/**
 * Compiles `pause`, the one program in a cluster that upstream has only in C: a screenful of our own, linked statically
 * so that its image holds nothing else. Machine code written by hand would save the compiler, but nobody could review
 * it, and the compiler is needed for runc anyway. The same compiler gives the same bytes.
 */
export async function buildPauseProgram({ output, compiler = "gcc" }: PauseProgramOptions): Promise<void> {
  const partial = `${output}.${randomBytes(4).toString("hex")}`;
  await mkdir(dirname(output), { recursive: true });
  try {
    await run(compiler, ["-Os", "-static", "-s", "-Wl,--build-id=none", "-o", partial, source]);
    await rename(partial, output);
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new Unavailable(isAbsent ? `there is no ${compiler} to compile pause` : `${compiler} did not compile pause`, {
      cause: error,
      hint:
        "Install a C compiler and a static C library (on Debian: apt-get install gcc libc6-dev), or let the container " +
        "runtime pull the pause image from a registry.",
    });
  } finally {
    await rm(partial, { force: true });
  }
}
