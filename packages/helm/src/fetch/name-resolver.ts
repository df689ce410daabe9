import type { LookupAddress } from "node:dns";
import type { Resolve } from "@butler/std/outgoing";

/**
 * Limits concurrent lookups. The system's resolver blocks a thread while a name server does not respond, and the few
 * threads of the pool also read files and unpack archives for the whole process.
 */
export function fewAtATime(resolve: Resolve, most: number): Resolve {
  const under = new Map<string, Promise<readonly LookupAddress[]>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  const run = async (hostname: string): Promise<readonly LookupAddress[]> => {
    if (running >= most) await new Promise<void>((proceed) => waiting.push(proceed));
    else running += 1;
    try {
      return await resolve(hostname);
    } finally {
      under.delete(hostname);
      // A waiting lookup takes over the slot; otherwise it is free again.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
  return (hostname) => {
    const shared = under.get(hostname) ?? run(hostname);
    under.set(hostname, shared);
    return shared;
  };
}
