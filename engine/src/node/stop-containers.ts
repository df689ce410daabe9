import { runCommand } from "./run-command.ts";

/** Stops every container gracefully. Kubernetes restarts them when the engine starts. */
export async function stopContainers({ ctr, socket }: { ctr: string; socket: string }): Promise<void> {
  const tasks = ["--address", socket, "--namespace", "k8s.io", "tasks"];
  const ids = (await runCommand([ctr, ...tasks, "ls", "-q"])).split("\n").filter((id) => id !== "");
  for (const id of ids) await runCommand([ctr, ...tasks, "delete", "--force", id]).catch(() => undefined);
}
