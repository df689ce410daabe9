import type { EngineState } from "@butler/engine";

/** The state of an engine, and the address of Butler's server. */
export interface LocalState extends EngineState {
  /** Absent when Butler is not installed or not reachable. */
  readonly server?: string | undefined;
  /** The console's address, which is the server's. */
  readonly console?: string | undefined;
}

/** The state of an engine as a table, followed by problems. */
export function renderState({ name, kubernetes, server, kubeconfig, services, troubles }: LocalState): string {
  if (services.length === 0)
    return `The engine ${name} is not running. Start it with: butleradm local up --name ${name}`;
  const rows = services.map((service) => [
    service.name,
    service.state,
    String(service.restarts),
    service.process === undefined ? "" : String(service.process.pid),
    service.message.split("\n")[0] ?? "",
  ]);
  const header = ["COMPONENT", "STATE", "RESTARTS", "PROCESS", "MESSAGE"];
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  const wrong = troubles.flatMap(({ what, remedy }) => ["", what, `  ${remedy}`]);
  const address = server === undefined ? [] : [`console and server ${server}`];
  return [
    `engine ${name}  ${kubernetes ?? ""}  ${kubeconfig}`,
    ...address,
    "",
    line(header),
    ...rows.map(line),
    ...wrong,
  ].join("\n");
}
