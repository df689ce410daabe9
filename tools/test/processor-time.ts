import { readdirSync, readFileSync } from "node:fs";

interface Seen {
  owner: string | undefined;
  ticks: number;
}

/** Linux counts CPU time in hundredths of a second on all common machines. */
const ticksPerSecond = 100;

/**
 * Attributes CPU time to the starter of a process, by sampling all processes once a second. Descendants count for the
 * same owner, even after their parent has exited.
 */
export class ProcessorTime {
  readonly #seen = new Map<string, Seen>();
  readonly #owners = new Map<number, string>();
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    this.#timer = setInterval(() => this.#look(), 1_000);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#look();
  }

  /** Attributes this process and its descendants to an owner. */
  own(pid: number, owner: string): void {
    this.#owners.set(pid, owner);
  }

  /** The CPU seconds of each owner so far. */
  seconds(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { owner, ticks } of this.#seen.values()) {
      if (owner !== undefined) sums[owner] = (sums[owner] ?? 0) + ticks / ticksPerSecond;
    }
    return sums;
  }

  #look(): void {
    const running = readProcesses();
    for (const { pid, parent, startedAt, ticks } of running.values()) {
      const key = `${pid}/${startedAt}`;
      const known = this.#seen.get(key);
      const owner = known?.owner ?? this.#ownerOf(pid) ?? this.#ownerOfParent(parent, running) ?? ownerByGroup(pid);
      this.#seen.set(key, { owner, ticks });
    }
  }

  #ownerOf(pid: number): string | undefined {
    return this.#owners.get(pid);
  }

  #ownerOfParent(parent: number, running: ReadonlyMap<number, ProcessLine>): string | undefined {
    const line = running.get(parent);
    if (line === undefined) return undefined;
    const known = this.#seen.get(`${line.pid}/${line.startedAt}`)?.owner;
    return known ?? this.#ownerOf(line.pid) ?? this.#ownerOfParent(line.parent, running);
  }
}

/** Pods of an engine are not descendants of a test's process, but they are in the engine's cgroups. */
function ownerByGroup(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, "utf8").includes("/butler-") ? "engine" : undefined;
  } catch {
    return undefined;
  }
}

interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly startedAt: string;
  readonly ticks: number;
}

function readProcesses(): Map<number, ProcessLine> {
  const lines = new Map<number, ProcessLine>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const line = readProcess(Number(entry));
    if (line !== undefined) lines.set(line.pid, line);
  }
  return lines;
}

/** See proc(5): the name is in parentheses and may contain spaces; the fields are counted from behind it. */
function readProcess(pid: number): ProcessLine | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { pid, parent: Number(fields[1]), startedAt: fields[19] ?? "", ticks };
  } catch {
    // The process has exited in the meantime.
    return undefined;
  }
}

/** How long all CPUs together have been busy and idle since the machine started. */
export function machineSeconds(): { readonly busySeconds: number; readonly idleSeconds: number } {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softIrq = 0] = line
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) / ticksPerSecond);
  return { busySeconds: user + nice + system + irq + softIrq, idleSeconds: idle + waiting };
}
