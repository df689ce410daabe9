import { IPAllocation, NetworkPool } from "@butler/api";
import type { Performers } from "@butler/controller";
import { Conflict, NotFound } from "@butler/std";
import pLimit from "p-limit";
import type { ClaimWrite, PoolEffect, WriteClaims } from "./plan.ts";
import type { NetworkPoolPorts } from "./ports.ts";

/** Maximum number of concurrent writes to claims. */
const atOnce = 8;

/** Performs the effects of the controller's plans. */
export const performers: Performers<PoolEffect, NetworkPoolPorts> = {
  writePool: ({ write }, { writeStatus }, signal) => writeStatus(NetworkPool, write, signal),
  writeClaims,
};

/** A claim that has changed or was deleted is requeued; a failed write must not block other claims. */
async function writeClaims(
  { pool, writes }: WriteClaims,
  { writeStatus, countClaim }: NetworkPoolPorts,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  const writeOne = async ({ isServed, ...write }: ClaimWrite): Promise<void> => {
    try {
      await writeStatus(IPAllocation, write, signal);
      countClaim(pool, isServed);
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof NotFound)) throw error;
    }
  };
  await pLimit(atOnce).map(writes, (write) => writeOne(write).catch((error: unknown) => failures.push(error)));
  if (failures.length > 0) throw failures[0];
}
