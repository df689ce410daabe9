import { IPAllocation, TenantCluster } from "@butler/api";
import type { CacheSet, KubeClient } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import { NotFound } from "@butler/std";
import { createStatusWriter, type StatusWriter } from "../shared/status-writer.ts";
import type { DeleteClaim } from "./plan.ts";

/** What the controller of IPAllocations works with beside its caches. */
export interface IpAllocationPorts {
  /** Asks the API server itself; any other answer than yes or no is an error. */
  readonly hasCluster: (key: ObjectKey, signal: AbortSignal) => Promise<boolean>;
  readonly writeStatus: StatusWriter;
  /** Deletes this very claim, not a namesake made since. */
  readonly deleteClaim: (claim: Pick<DeleteClaim, "name" | "namespace" | "uid">, signal: AbortSignal) => Promise<void>;
  readonly orphanGraceMs: number;
}

/** What the ports are made with. */
export interface IpAllocationPortOptions {
  readonly client: KubeClient;
  readonly caches: Pick<CacheSet, "noteWrite">;
  /** How long a claim whose cluster is gone stays; 10 minutes when absent. */
  readonly orphanGraceMs?: number | undefined;
}

/** The ports as they are in production. */
export function createIpAllocationPorts(options: IpAllocationPortOptions): IpAllocationPorts {
  const { client, orphanGraceMs = 600_000 } = options;
  const writeStatus = createStatusWriter({ ...options, fieldManager: "butler-ip-allocation" });
  return {
    hasCluster: async (key, signal) => (await client.find(TenantCluster, key, signal)) !== undefined,
    writeStatus: (...write) => writeStatus(...write).catch(ignoreGone),
    deleteClaim: ({ uid, name, namespace }, signal) =>
      client.delete(IPAllocation, { name, namespace }, { uid, signal }).catch(ignoreGone),
    orphanGraceMs,
  };
}

/** A claim that is gone needs nothing any more. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof NotFound)) throw error;
}
