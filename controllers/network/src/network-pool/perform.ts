import { IPAllocation, NetworkPool } from "@butler/api";
import type { Performers } from "@butler/controller";
import { Conflict, NotFound } from "@butler/std";
import type { ClaimWrite, PoolEffect, WriteClaims } from "./plan.ts";
import type { NetworkPoolPorts } from "./ports.ts";

/** Writes to claims that are under way at once. */
const atOnce = 8;

/** How the controller does what its plans ask for. */
export const performers: Performers<PoolEffect, NetworkPoolPorts> = {
  writePool: ({ write }, { writeStatus }, signal) => writeStatus(NetworkPool, write, signal),
  writeClaims,
};

/** A claim that changed or went meanwhile is looked at again; one that cannot be written must not keep the others waiting. */
async function writeClaims(
  { pool, writes }: WriteClaims,
  { writeStatus, countClaim }: NetworkPoolPorts,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...writes];
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let write = waiting.shift(); write !== undefined; write = waiting.shift()) {
      await writeOne(write).catch((error: unknown) => failures.push(error));
    }
  };
  const writeOne = async ({ isServed, ...write }: ClaimWrite): Promise<void> => {
    try {
      await writeStatus(IPAllocation, write, signal);
      countClaim(pool, isServed);
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof NotFound)) throw error;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw failures[0];
}
