import { IPAllocation, TenantCluster } from "@butler/api";
import type { CacheSet, KubeClient } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";
import { createStatusWriter, type StatusWriter } from "../shared/status-writer.ts";
import type { DeleteClaim } from "./plan.ts";

/** Ports of the IPAllocation controller. */
export interface IpAllocationPorts {
  /** Reads from the API server; throws unless the result is definite. */
  readonly hasCluster: (key: ObjectKey, signal: AbortSignal) => Promise<boolean>;
  readonly writeStatus: StatusWriter;
  /** Deletes exactly this claim, not a recreated one of the same name. */
  readonly deleteClaim: (claim: Pick<DeleteClaim, "name" | "namespace" | "uid">, signal: AbortSignal) => Promise<void>;
  readonly orphanGraceMs: number;
}

/** Dependencies of the ports. */
export interface IpAllocationPortOptions {
  readonly client: KubeClient;
  readonly caches: Pick<CacheSet, "noteWrite">;
  /** Grace period of a claim whose cluster was deleted. Defaults to 10 minutes. */
  readonly orphanGraceMs?: number | undefined;
}

/** The production ports. */
export function createIpAllocationPorts(options: IpAllocationPortOptions): IpAllocationPorts {
  const { client, orphanGraceMs = 600_000 } = options;
  const writeStatus = createStatusWriter({ ...options, fieldManager: "butler-ip-allocation" });
  return {
    hasCluster: async (key, signal) => (await client.find(TenantCluster, key, signal)) !== undefined,
    writeStatus: (...write) => writeStatus(...write).catch(ignoreNotFound),
    deleteClaim: ({ uid, name, namespace }, signal) =>
      client.delete(IPAllocation, { name, namespace }, { uid, signal }).catch(ignoreNotFound),
    orphanGraceMs,
  };
}
