import { keyText, type ObjectKey } from "@butler/resource";
import { Unavailable } from "@butler/std";

export interface TenantUnreachableOptions {
  readonly cause: unknown;
  readonly since: Date;
  readonly nextAttempt: Date;
}

/** A tenant is unreachable, for the reason given as the cause; no request was sent. */
export class TenantUnreachable extends Unavailable {
  /** When it is retried automatically. */
  readonly nextAttempt: Date;

  constructor(key: ObjectKey, { cause, since, nextAttempt }: TenantUnreachableOptions) {
    const details = { tenant: keyText(key), since: since.toISOString(), nextAttempt: nextAttempt.toISOString() };
    super(`tenant ${details.tenant} is unreachable`, {
      cause,
      details,
      hint: `The tenant has been unreachable since ${details.since}; Butler retries automatically at ${details.nextAttempt}.`,
    });
    this.nextAttempt = nextAttempt;
  }
}
