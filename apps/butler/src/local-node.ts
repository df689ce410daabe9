import { parseArgs } from "node:util";
import { ControllerRuntime } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import { loadBalancerController, localClaimController, localVolumeController, storageClass } from "@butler/local-node";
import { builtinKinds } from "@butler/resource";
import { InvalidInput, parseIpRange } from "@butler/std";
import type { Role, RoleWorld } from "./role.ts";
import { runControllers } from "./run-controllers.ts";

/** Addresses and volumes for a local engine. */
export function localNode(argv: readonly string[], { client, logger, metrics }: RoleWorld): Role {
  const { values } = parseArgs({
    args: [...argv],
    options: { "load-balancer-range": { type: "string" }, volumes: { type: "string" } },
  });
  const { volumes, "load-balancer-range": loadBalancerRange } = values;
  if (volumes === undefined || loadBalancerRange === undefined) {
    throw new InvalidInput("local-node needs --load-balancer-range and --volumes");
  }
  const caches = new CacheSet(client, { logger, metrics });
  const ports = { client, volumeFolder: volumes, loadBalancerRange: parseIpRange(loadBalancerRange) };
  const world = { client, caches, ports, logger, metrics };
  const runtimes = [
    new ControllerRuntime(loadBalancerController, world),
    new ControllerRuntime(localClaimController, world),
    new ControllerRuntime(localVolumeController, world),
  ];
  const run = async (signal: AbortSignal): Promise<void> => {
    await client.apply(builtinKinds.StorageClass, storageClass, { fieldManager: "butler-local-node", signal });
    await runControllers(caches, runtimes, signal);
  };
  return { run, isReady: () => caches.isHealthy };
}
