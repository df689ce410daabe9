import { existsSync } from "node:fs";

/** A hard limit on the memory of helm. Its soft limit makes it collect garbage; it does not stop a chart that needs more. */
export interface MemoryLimit {
  readonly mebibytes: number;
  /**
   * A program that sets the limit and then becomes helm, called as `PROGRAM --data=BYTES HELM ARGUMENTS`. The kernel then
   * refuses helm more memory. Without it, helm is killed when it is found to use more.
   */
  readonly program: string | undefined;
}

/** Our own program in Butler's image, or that of util-linux. */
const programs = ["/usr/local/bin/limit-memory", "/usr/bin/prlimit"];

/** The limit with the program that this machine has. */
export function memoryLimit(mebibytes: number | undefined): MemoryLimit | undefined {
  if (mebibytes === undefined) return undefined;
  return { mebibytes, program: programs.find((path) => existsSync(path)) };
}

/** A program and its arguments. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** The command with the limit. */
export function limitedCommand({ program, args }: Command, limit: MemoryLimit | undefined): Command {
  if (limit?.program === undefined) return { program, args };
  return { program: limit.program, args: [`--data=${limit.mebibytes * 1024 * 1024}`, program, ...args] };
}

/** Besides its data, a process uses memory for its program, which the kernel's limit does not count. */
const programMiB = 128;

/** Memory in use above which helm is killed. */
export function mostResidentMiB({ mebibytes }: MemoryLimit): number {
  return mebibytes + programMiB;
}

/** How the runtime of Go, and the kernel, say that there is no more memory. */
const outOfMemory = /^(fatal error: )?(runtime: )?(out of memory|cannot allocate memory)|: cannot allocate memory$/;

/** Whether a line says that helm ends because it needed more memory than it has. */
export function isOutOfMemory(line: string): boolean {
  return outOfMemory.test(line);
}
