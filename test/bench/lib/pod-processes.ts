import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";

/** Clock ticks per second in /proc/<pid>/stat; the same on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** The processes of a program in the containers of a pod, identified by their cgroup. */
export async function podProcesses(uid: string, program: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const isOne = async (pid: number): Promise<boolean> => {
    const [command = ""] = (await readQuietly(pid, "cmdline")).split("\0");
    return basename(command) === program && (await readQuietly(pid, "cgroup")).includes(`pod${uid}`);
  };
  const found = await Promise.all(pids.map(async (pid) => ((await isOne(pid)) ? [pid] : [])));
  return found.flat();
}

/** Age of a process. */
export async function startedAgoSeconds(pid: number): Promise<number> {
  const [stat, uptime] = await Promise.all([readFile(`/proc/${pid}/stat`, "utf8"), readFile("/proc/uptime", "utf8")]);
  // The command name is in parentheses and may contain spaces; the rest is fixed.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(uptime.split(" ")[0]) - Number(fields[19]) / ticksPerSecond;
}

/** Memory of a process: resident size, and proportional size. */
export interface ProcessMemory {
  readonly residentMiB: number;
  readonly proportionalMiB: number;
}

/** The memory of each program in a pod, and the total. */
export async function podMemory(uid: string, programs: readonly string[]): Promise<Record<string, ProcessMemory>> {
  const each = await Promise.all(
    programs.map(async (program) => {
      const [pid] = await podProcesses(uid, program);
      if (pid === undefined) throw new Error(`${program} not found in the pod ${uid}`);
      return [program, await memoryOf(pid)] as const;
    }),
  );
  const sum = (of: keyof ProcessMemory): number => each.reduce((all, [, memory]) => all + memory[of], 0);
  const all = { residentMiB: sum("residentMiB"), proportionalMiB: sum("proportionalMiB") };
  return { ...Object.fromEntries(each), all };
}

async function memoryOf(pid: number): Promise<ProcessMemory> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const mebibytes = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0) / 1_024);
  return { residentMiB: mebibytes("Rss"), proportionalMiB: mebibytes("Pss") };
}

/** Empty for a process that has exited in the meantime. */
function readQuietly(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
}
