import { Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const sources = fileURLToPath(new URL("../../programs", import.meta.url));

/** The output path, and the compiler. */
export interface SmallProgramOptions {
  readonly output: string;
  /** `gcc` by default; any compiler with compatible flags. */
  readonly compiler?: string;
}

/**
 * Compiles `pause`, the one program in a cluster that upstream has only in C: a short program of our own, linked
 * statically so that its image contains nothing else. Hand-written machine code would avoid the compiler, but could not
 * be reviewed, and runc requires the compiler anyway. The same compiler produces the same bytes.
 */
export function buildPauseProgram(options: SmallProgramOptions): Promise<void> {
  return build("pause", "let the container runtime pull the pause image from a registry", options);
}

/** Compiles `limit-memory`, because Node cannot limit the memory of the programs that it starts. */
export function buildLimitProgram(options: SmallProgramOptions): Promise<void> {
  return build("limit-memory", "install prlimit of util-linux", options);
}

async function build(
  name: string,
  otherwise: string,
  { output, compiler = "gcc" }: SmallProgramOptions,
): Promise<void> {
  const partial = `${output}.${randomBytes(4).toString("hex")}`;
  await mkdir(dirname(output), { recursive: true });
  try {
    const source = join(sources, `${name}.c`);
    await run(compiler, ["-Os", "-static", "-s", "-Wl,--build-id=none", "-o", partial, source]);
    await rename(partial, output);
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new Unavailable(
      isAbsent ? `cannot compile ${name}: ${compiler} not found` : `${compiler} failed to compile ${name}`,
      {
        cause: error,
        hint: `Install a C compiler and a static C library (on Debian: apt-get install gcc libc6-dev), or ${otherwise}.`,
      },
    );
  } finally {
    await rm(partial, { force: true });
  }
}
