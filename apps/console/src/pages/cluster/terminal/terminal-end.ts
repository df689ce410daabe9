/** How a WebSocket has ended. */
export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
  /** Whether it had been open at all. */
  readonly wasOpen: boolean;
}

/** Why a terminal has ended, and what to do, for people. */
export interface TerminalEnd {
  readonly sentence: string;
  readonly isFailure: boolean;
}

const told: Readonly<Record<string, TerminalEnd>> = {
  exited: { sentence: "The shell has ended.", isFailure: false },
  idle: { sentence: "Nobody typed for a quarter of an hour, so the terminal was closed.", isFailure: false },
  over: { sentence: "A terminal lasts an hour; this one is over.", isFailure: false },
  silent: { sentence: "Your browser did not answer for a while, so the terminal was closed.", isFailure: true },
  left: { sentence: "You have closed the terminal.", isFailure: false },
  broken: { sentence: "The connection to the terminal's pod broke.", isFailure: true },
  "the terminal cannot be reached": {
    sentence: "The terminal's pod did not start or cannot be reached. The cluster may be busy or out of room.",
    isFailure: true,
  },
  "you may not any more": {
    sentence: "Your role in the cluster's team has changed, or your session has ended.",
    isFailure: true,
  },
};

/** What a close of the socket means. */
export function terminalEnd({ code, reason, wasOpen }: SocketEnd): TerminalEnd {
  const known = Object.hasOwn(told, reason) ? told[reason] : undefined;
  if (known !== undefined) return known;
  if (!wasOpen) return { sentence: "The server did not let the terminal be opened.", isFailure: true };
  if (code === 1009) return { sentence: "What was pasted is too long for one message.", isFailure: true };
  if (code === 1001 || code === 1012) return { sentence: "The server is being restarted.", isFailure: true };
  return { sentence: `The connection broke (${code}).`, isFailure: true };
}
