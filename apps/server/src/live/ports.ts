import type { SignedIn } from "../ports.ts";

/** Sessions for live channels, from memory. */
export interface LiveSessions {
  /** The user of a session with their current roles; undefined if it has ended or the account is disabled. */
  find(sessionId: string): SignedIn | undefined;
  /** Calls the listener when a session may have ended or a role may have changed. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

/** Ensures that a ticket is used only once across all servers. */
export interface TicketUses {
  /** Whether this is the first use of a ticket with this expiration time. */
  claim(id: string, until: Date): Promise<boolean>;
}

/** The part of a socket that the hub needs. */
export interface LiveWire {
  /** Bytes that were sent and have not left yet. */
  readonly bufferedAmount: number;
  send(frame: Buffer): void;
  close(code: number, reason: string): void;
}
