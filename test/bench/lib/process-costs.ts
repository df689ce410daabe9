import { readFile } from "node:fs/promises";

/** Clock ticks per second in /proc/<pid>/stat; the same on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** What a set of processes uses while nothing is asked of them. */
export async function measureIdle(
  pids: readonly number[],
  seconds: number,
): Promise<{ cores: number; memoryMiB: number }> {
  const before = await cpuSeconds(pids);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const cores = ((await cpuSeconds(pids)) - before) / seconds;
  const memory = await Promise.all(pids.map(proportionalMemory));
  return { cores: Number(cores.toFixed(3)), memoryMiB: Math.round(memory.reduce((sum, kib) => sum + kib, 0) / 1_024) };
}

async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const ticks = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      // The command's name is in parentheses and may contain blanks; what follows is fixed.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(fields[11]) + Number(fields[12]);
    }),
  );
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** Memory in KiB, with what is shared counted in parts. */
async function proportionalMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0);
}
