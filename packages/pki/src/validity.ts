import { InvalidInput } from "@butler/std";

/** The validity period of a certificate. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Clocks differ slightly, so a certificate is valid from shortly before it was issued. */
const clockSkewMs = 300_000;
/** Certificates have whole seconds only; a shorter lifetime could round to zero. */
const shortestMs = 10_000;

/**
 * Determines the validity of a certificate. It never outlives its CA. A short lifetime is backdated only slightly:
 * otherwise its last third, in which it is due for renewal, would have started already.
 */
export function validityFrom(wish: {
  readonly lifetimeMs: number;
  readonly now?: Date | undefined;
  readonly authority?: { readonly commonName: string; readonly notAfter: Date };
}): Validity {
  const { lifetimeMs, now = new Date(), authority } = wish;
  if (!(lifetimeMs >= shortestMs)) {
    throw new InvalidInput(`invalid certificate lifetime: ${lifetimeMs} ms`, {
      hint: `Use a lifetime of at least ${shortestMs / 1000} seconds.`,
    });
  }
  const nowMs = now.getTime();
  const endMs = Math.min(nowMs + lifetimeMs, authority?.notAfter.getTime() ?? Number.POSITIVE_INFINITY);
  if (authority !== undefined && endMs - nowMs < shortestMs) {
    throw new InvalidInput(`the CA ${authority.commonName} expires on ${authority.notAfter.toISOString()}`, {
      hint: "Renew the CA first.",
    });
  }
  const validity = {
    notBefore: wholeSeconds(nowMs - Math.min(clockSkewMs, (endMs - nowMs) / 10)),
    notAfter: wholeSeconds(endMs),
  };
  if (isWritable(validity.notBefore) && isWritable(validity.notAfter)) return validity;
  throw new InvalidInput("the validity period is outside the range that certificates support", {
    hint: "Use a validity period between the years 1950 and 9999.",
  });
}

function wholeSeconds(timeMs: number): Date {
  return new Date(Math.floor(timeMs / 1000) * 1000);
}

function isWritable(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1950 && year <= 9999;
}
