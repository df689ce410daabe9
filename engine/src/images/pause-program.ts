import { Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const source = fileURLToPath(new URL("../../pause/pause.c", import.meta.url));

/** The output path, and the compiler. */
export interface PauseProgramOptions {
  readonly output: string;
  /** `gcc` by default; any compiler with compatible flags. */
  readonly compiler?: string;
}

/**
 * Compiles `pause`, the one program in a cluster that upstream has only in C: a short program of our own, linked
 * statically so that its image contains nothing else. Hand-written machine code would avoid the compiler, but could not
 * be reviewed, and runc requires the compiler anyway. The same compiler produces the same bytes.
 */
export async function buildPauseProgram({ output, compiler = "gcc" }: PauseProgramOptions): Promise<void> {
  const partial = `${output}.${randomBytes(4).toString("hex")}`;
  await mkdir(dirname(output), { recursive: true });
  try {
    await run(compiler, ["-Os", "-static", "-s", "-Wl,--build-id=none", "-o", partial, source]);
    await rename(partial, output);
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new Unavailable(
      isAbsent ? `cannot compile pause: ${compiler} not found` : `${compiler} failed to compile pause`,
      {
        cause: error,
        hint:
          "Install a C compiler and a static C library (on Debian: apt-get install gcc libc6-dev), or let the container " +
          "runtime pull the pause image from a registry.",
      },
    );
  } finally {
    await rm(partial, { force: true });
  }
}
