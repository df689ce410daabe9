import { openTerminal } from "@butler/contract";
import { type Handler, handle } from "../http/handler.ts";
import type { Terminals } from "./terminals.ts";

/** Terminals. */
export function terminalHandlers(terminals: Terminals): Handler[] {
  return [
    handle(openTerminal, ({ caller, cluster, subject, signal }) =>
      terminals.open(caller, { cluster, subject }, signal),
    ),
  ];
}
