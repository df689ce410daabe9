import type { SignedIn } from "../ports.ts";

/** Sessions as live channels see them: from memory, at every moment. */
export interface LiveSessions {
  /** Who a session belongs to and what they are now; undefined when it is over or the account is disabled. */
  find(sessionId: string): SignedIn | undefined;
  /** Calls the listener whenever a session may have ended or somebody's role may have changed. Gives a function that ends it. */
  onChange(listener: () => void): () => void;
}

/** Sees to it that a ticket is used once, whichever server it is shown to. */
export interface TicketUses {
  /** Whether this is the first use of a ticket that is good until then. */
  claim(id: string, until: Date): Promise<boolean>;
}

/** As much of a socket as the hub needs. */
export interface LiveWire {
  /** Bytes that were sent and have not left yet. */
  readonly bufferedAmount: number;
  send(frame: Buffer): void;
  close(code: number, reason: string): void;
}
