import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { SupervisorStatus } from "../supervisor/service-status.ts";
import type { EnginePaths } from "./engine-paths.ts";
import { findEngineProblems, type Listener, wantedPorts } from "./engine-problems.ts";
import type { Problem } from "./machine-checks.ts";
import { freeBytes } from "./machine-facts.ts";
import { insideNamespace } from "./network-commands.ts";
import type { NetworkLayout } from "./network-layout.ts";
import { runCommand } from "./run-command.ts";

/** An engine to diagnose, with the facts that are available. */
export interface EngineView {
  readonly paths: EnginePaths;
  readonly layout: NetworkLayout | undefined;
  readonly status: SupervisorStatus | undefined;
}

/** Finds the problems that keep an engine from working. */
export async function readEngineProblems({ paths, layout, status }: EngineView): Promise<Problem[]> {
  const services = status?.services ?? [];
  const listeners = new Map<number, Listener>();
  for (const port of wantedPorts(services)) {
    const listener = await findListener(layout, port);
    if (listener !== undefined) listeners.set(port, listener);
  }
  return findEngineProblems({
    name: basename(paths.directory),
    directory: paths.directory,
    freeDiskBytes: await freeBytes(paths.directory),
    services,
    supervisorProblems: status?.problems ?? [],
    listeners,
  });
}

async function findListener(layout: NetworkLayout | undefined, port: number): Promise<Listener | undefined> {
  if (layout === undefined) return undefined;
  const ask = insideNamespace(layout, ["ss", "-H", "-l", "-t", "-n", "-p", `sport = :${port}`]);
  const pid = /pid=(\d+)/.exec(await runCommand(ask).catch(() => ""))?.[1];
  if (pid === undefined) return undefined;
  const [program = ""] = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  return { pid: Number(pid), program: basename(program) || "?" };
}
