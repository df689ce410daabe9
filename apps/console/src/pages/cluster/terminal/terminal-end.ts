/** Close event of a WebSocket. */
export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
  /** Whether it was ever open. */
  readonly wasOpen: boolean;
}

/** Why a terminal ended, for display. */
export interface TerminalEnd {
  readonly sentence: string;
  readonly isFailure: boolean;
}

const endsByReason: Readonly<Record<string, TerminalEnd>> = {
  exited: { sentence: "The shell exited.", isFailure: false },
  idle: { sentence: "The terminal was closed after 15 minutes without input.", isFailure: false },
  over: { sentence: "The terminal reached its time limit of one hour.", isFailure: false },
  silent: { sentence: "The terminal was closed because your browser stopped responding.", isFailure: true },
  left: { sentence: "You closed the terminal.", isFailure: false },
  broken: { sentence: "The connection to the terminal pod was lost.", isFailure: true },
  "the terminal cannot be reached": {
    sentence: "The terminal pod did not start or cannot be reached. The cluster may be busy or out of capacity.",
    isFailure: true,
  },
  "access revoked": {
    sentence: "Your role in the team changed, or your session ended.",
    isFailure: true,
  },
};

/** Explains a close event. */
export function terminalEnd({ code, reason, wasOpen }: SocketEnd): TerminalEnd {
  const known = Object.hasOwn(endsByReason, reason) ? endsByReason[reason] : undefined;
  if (known !== undefined) return known;
  if (!wasOpen) return { sentence: "The server refused to open the terminal.", isFailure: true };
  if (code === 1009) return { sentence: "The pasted text is too long. Paste it in smaller parts.", isFailure: true };
  if (code === 1001 || code === 1012) return { sentence: "The server is restarting.", isFailure: true };
  return { sentence: `Connection lost (${code}).`, isFailure: true };
}
