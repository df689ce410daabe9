import { readFile } from "node:fs/promises";
import { processorSecondsOf } from "./process-search.ts";

/** Resource usage of a set of processes while idle. */
export async function measureIdle(
  pids: readonly number[],
  seconds: number,
): Promise<{ cores: number; memoryMiB: number }> {
  const before = await processorSecondsOf(pids);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const cores = ((await processorSecondsOf(pids)) - before) / seconds;
  const memory = await Promise.all(pids.map(proportionalMemory));
  return { cores: Number(cores.toFixed(3)), memoryMiB: Math.round(memory.reduce((sum, kib) => sum + kib, 0) / 1_024) };
}

/** Proportional memory in KiB. */
async function proportionalMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0);
}
