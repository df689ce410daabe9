import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";

/** The memory of the processes of a program in the pods of an engine, in MiB, ascending. */
export async function memoryOf(program: string, engine: string): Promise<number[]> {
  const processes = (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry));
  const sizes = await Promise.all(processes.map((pid) => sizeOf(pid, program, engine)));
  return sizes.flat().sort((left, right) => left - right);
}

/** Nothing for a process of another program or engine, or one that has exited in the meantime. */
async function sizeOf(pid: string, program: string, engine: string): Promise<number[]> {
  const read = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  const [command = ""] = (await read("cmdline")).split("\0");
  if (basename(command) !== program) return [];
  if (!(await read("cgroup")).includes(`/butler-${engine}/kubepods/`)) return [];
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(await read("status"))?.[1];
  return kibibytes === undefined ? [] : [Math.round(Number(kibibytes) / 1024)];
}

/** The median and the maximum of some numbers, as text. */
export function middleAndLargest(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((left, right) => left - right);
  return `p50 ${sorted[Math.floor((sorted.length - 1) / 2)]}, max ${sorted.at(-1)}`;
}
