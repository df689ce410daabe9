import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { cgroupProcesses } from "./cgroups.ts";
import { runCommand } from "./run-command.ts";

/** Ends every container in the orderly way. Kubernetes starts them again when the engine comes back. */
export async function stopContainers({ ctr, socket }: { ctr: string; socket: string }): Promise<void> {
  const tasks = ["--address", socket, "--namespace", "k8s.io", "tasks"];
  const ids = (await runCommand([ctr, ...tasks, "ls", "-q"])).split("\n").filter((id) => id !== "");
  for (const id of ids) await runCommand([ctr, ...tasks, "delete", "--force", id]).catch(() => undefined);
}

/** Kills what the orderly way has left: programs in the engine's cgroups, and the shims of its containerd. */
export async function killLeftovers({ cgroup, socket }: { cgroup: string; socket: string }): Promise<void> {
  const pids = [...(await cgroupProcesses(cgroup)), ...(await findShims(socket))];
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself in the meantime.
    }
  }
}

/** Takes away every mount below a directory, innermost first. */
export async function unmountBelow(directory: string): Promise<void> {
  const mounts = (await readFile("/proc/self/mounts", "utf8"))
    .split("\n")
    .map((line) => decodeMountPath(line.split(" ")[1] ?? ""))
    .filter((path) => path.startsWith(`${directory}/`));
  for (const path of mounts.reverse()) await runCommand(["umount", "--lazy", path]).catch(() => undefined);
}

/** A shim outlives its containerd on purpose; its command line tells whose it is. */
async function findShims(socket: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const words = (await readFile(join("/proc", entry, "cmdline"), "utf8").catch(() => "")).split("\0");
    if (words[0]?.endsWith("/containerd-shim-runc-v2") === true && words.includes(socket)) found.push(Number(entry));
  }
  return found;
}

/** The kernel writes blanks and backslashes as octal numbers. */
function decodeMountPath(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_match, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
