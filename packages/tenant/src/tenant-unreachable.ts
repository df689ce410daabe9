import { keyText, type ObjectKey } from "@butler/resource";
import { Unavailable } from "@butler/std";

export interface TenantUnreachableOptions {
  readonly cause: unknown;
  readonly since: Date;
  readonly nextAttempt: Date;
}

/** A tenant is known not to answer, for the reason that is the cause; no request was sent. */
export class TenantUnreachable extends Unavailable {
  /** When it will be tried again, by itself. */
  readonly nextAttempt: Date;

  constructor(key: ObjectKey, { cause, since, nextAttempt }: TenantUnreachableOptions) {
    const details = { tenant: keyText(key), since: since.toISOString(), nextAttempt: nextAttempt.toISOString() };
    super(`the tenant ${details.tenant} cannot be reached`, {
      cause,
      details,
      hint: `It has not answered since ${details.since} and is tried again at ${details.nextAttempt}, without anybody's doing.`,
    });
    this.nextAttempt = nextAttempt;
  }
}
