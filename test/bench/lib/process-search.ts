import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";

/** Clock ticks per second in /proc/<pid>/stat; the same on every Linux that Node runs on. */
const ticksPerSecond = 100;

const programs = ["kube-apiserver", "etcd"];

/** The API server and the etcd with data in a directory. */
export async function processesOf(folder: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process can exit while it is inspected.
      const [program = "", ...args] = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
      return programs.includes(basename(program)) && args.some((each) => each.includes(folder)) ? [pid] : [];
    }),
  );
  return found.flat();
}

/** CPU seconds used by processes so far. */
export async function processorSecondsOf(pids: readonly number[]): Promise<number> {
  const ticks = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      // The command name is in parentheses and may contain spaces; the rest is fixed.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(fields[11]) + Number(fields[12]);
    }),
  );
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}
