import type { Caller } from "@butler/access";
import type { AuditRecord } from "@butler/audit";

/** A request as authenticators see it. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Source address; forwarded addresses are used from trusted proxies only. */
  readonly sourceAddress: string;
  /** Whether the client uses TLS: to this process, to a trusted proxy, or by the server's public URL. */
  readonly isSecure?: boolean;
}

/** A signed-in user. */
export interface SignedIn extends Caller {
  readonly displayName?: string | undefined;
  readonly picture?: string | undefined;
  /** The session that the request belongs to; absent for those who have none. */
  readonly sessionId?: string | undefined;
}

/**
 * Authenticates a request; undefined if it is not signed in. Called for every request; if it throws, the request is
 * rejected.
 */
export type Authenticator = (request: IncomingRequest) => Promise<SignedIn | undefined>;

/** Whether a write request passes the CSRF check. Called for write requests only. */
export type CsrfCheck = (request: IncomingRequest, caller: SignedIn) => boolean | Promise<boolean>;

export type { AuditRecord };

/** Stores audit records. A response is sent only after its record is stored. */
export interface AuditSink {
  /** Stores an intent; if it fails, the change is rejected. Status and code are not known yet. */
  begin?(record: AuditRecord): Promise<void>;
  commit(record: AuditRecord): Promise<void>;
}
