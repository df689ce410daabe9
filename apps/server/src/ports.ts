import type { Caller } from "@butler/access";
import type { AuditRecord } from "@butler/audit";

/** A request as those see it who find out who sent it. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Where it came from; proxies count only when they are trusted. */
  readonly sourceAddress: string;
}

/** Somebody who is signed in. */
export interface SignedIn extends Caller {
  readonly displayName?: string | undefined;
  readonly picture?: string | undefined;
  /** The session that the request belongs to; absent for those who have none. */
  readonly sessionId?: string | undefined;
}

/**
 * Finds out who sent a request; undefined when nobody is signed in. It is asked anew for every request, and whatever it
 * throws refuses the request.
 */
export type Authenticator = (request: IncomingRequest) => Promise<SignedIn | undefined>;

/** Whether a request that may change something was meant by whoever sent it. Called for such requests only. */
export type CsrfCheck = (request: IncomingRequest, caller: SignedIn) => boolean | Promise<boolean>;

export type { AuditRecord };

/** Keeps records. A request is answered only after its record is kept. */
export interface AuditSink {
  /** Keeps what is about to be changed; when it fails, nothing is changed. Status and code are not known yet. */
  begin?(record: AuditRecord): Promise<void>;
  commit(record: AuditRecord): Promise<void>;
}
