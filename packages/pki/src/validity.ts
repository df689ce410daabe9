import { InvalidInput } from "@butler/std";

/** From when until when a certificate is valid. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Clocks of machines differ a little, so a certificate counts from a moment before it was made. */
const clockSkewMs = 300_000;
/** Certificates know whole seconds only; a shorter life could round to none. */
const shortestMs = 10_000;

/**
 * Decides the life of a certificate. It never outlives its authority. A short life begins only a little earlier than
 * now: otherwise its last third, in which it is due for renewal, would have begun already.
 */
export function validityFrom(wish: {
  readonly lifetimeMs: number;
  readonly now?: Date | undefined;
  readonly authority?: { readonly commonName: string; readonly notAfter: Date };
}): Validity {
  const { lifetimeMs, now = new Date(), authority } = wish;
  if (!(lifetimeMs >= shortestMs)) {
    throw new InvalidInput(`a certificate cannot live for ${lifetimeMs} ms`, {
      hint: `Ask for a life of at least ${shortestMs / 1000} seconds.`,
    });
  }
  const nowMs = now.getTime();
  const endMs = Math.min(nowMs + lifetimeMs, authority?.notAfter.getTime() ?? Number.POSITIVE_INFINITY);
  if (authority !== undefined && endMs - nowMs < shortestMs) {
    throw new InvalidInput(`the authority ${authority.commonName} ends on ${authority.notAfter.toISOString()}`, {
      hint: "Renew the authority first.",
    });
  }
  const validity = {
    notBefore: wholeSeconds(nowMs - Math.min(clockSkewMs, (endMs - nowMs) / 10)),
    notAfter: wholeSeconds(endMs),
  };
  if (isWritable(validity.notBefore) && isWritable(validity.notAfter)) return validity;
  throw new InvalidInput("the certificate would be valid at a time that certificates cannot name", {
    hint: "Ask for a life that lies between the years 1950 and 9999.",
  });
}

function wholeSeconds(timeMs: number): Date {
  return new Date(Math.floor(timeMs / 1000) * 1000);
}

function isWritable(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1950 && year <= 9999;
}
