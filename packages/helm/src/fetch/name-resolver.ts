import type { LookupAddress } from "node:dns";

/** How a name becomes addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Resolves few names at a time. The system's resolver holds a thread for as long as a name server is silent, and the
 * few threads there are also read files and unpack archives for the whole process.
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
      // Who waits takes over the place; without anybody it is free again.
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
