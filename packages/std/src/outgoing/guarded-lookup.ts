import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { isOutgoingAllowed, outgoingFacts, type OutgoingRules } from "./outgoing-rules.ts";

/** Resolves a name to addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Input of a guarded name resolution. */
export interface GuardOptions {
  readonly rules: OutgoingRules;
  readonly resolve: Resolve;
  /** Rejects a name none of whose addresses is allowed. */
  readonly refuse: (hostname: string) => Error;
}

/**
 * A name resolution that returns only allowed addresses. The connection uses the checked address, so that a name that
 * changes its address between check and use (DNS rebinding) gains nothing.
 */
export function guardedLookup(options: GuardOptions): LookupFunction {
  return (hostname, { all }, callback) => {
    callbackify(() => allowedAddresses(options, hostname))((error, allowed) => {
      const [first] = allowed ?? [];
      if (first === undefined) callback(error ?? options.refuse(hostname), "", 0);
      else if (all === true) callback(null, [...allowed]);
      else callback(null, first.address, first.family);
    });
  };
}

/** Addresses of a host that may be connected to; throws if there is none. An IP address is its own. */
export async function allowedAddresses(
  { rules, resolve, refuse }: GuardOptions,
  hostname: string,
): Promise<readonly LookupAddress[]> {
  const facts = await outgoingFacts(rules);
  const found = literalOf(hostname) ?? (await resolve(hostname));
  const allowed = found.filter(({ address }) => isOutgoingAllowed({ host: hostname, address }, facts));
  if (allowed.length === 0) throw refuse(hostname);
  return allowed;
}

/** A host that is an IP address is not resolved; in URLs, IPv6 addresses are in brackets. */
function literalOf(hostname: string): readonly LookupAddress[] | undefined {
  const address = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(address);
  return family === 0 ? undefined : [{ address, family }];
}
