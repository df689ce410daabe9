import { parseArgs } from "node:util";
import { ControllerRuntime } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import {
  kernelRoutes,
  loadBalancerController,
  localClaimController,
  localVolumeController,
  storageClass,
  tenantRouteController,
  tenantRouteKinds,
} from "@butler/local-node";
import { builtinKinds } from "@butler/resource";
import { InvalidInput, parseIpRange } from "@butler/std";
import type { Role, RoleContext } from "./role.ts";
import { runControllers } from "./run-controllers.ts";
import { untilServed } from "./served-kinds.ts";

/** Addresses and volumes for a local engine. */
export function localNode(argv: readonly string[], { client, logger, metrics }: RoleContext): Role {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      "load-balancer-range": { type: "string" },
      "network-namespace": { type: "string" },
      volumes: { type: "string" },
    },
  });
  const { volumes, "load-balancer-range": loadBalancerRange } = values;
  if (volumes === undefined || loadBalancerRange === undefined) {
    throw new InvalidInput("local-node requires --load-balancer-range and --volumes");
  }
  const caches = new CacheSet(client, { logger, metrics });
  const ports = { client, volumeFolder: volumes, loadBalancerRange: parseIpRange(loadBalancerRange) };
  const context = { client, caches, ports, logger, metrics };
  const runtimes = [
    new ControllerRuntime(loadBalancerController, context),
    new ControllerRuntime(localClaimController, context),
    new ControllerRuntime(localVolumeController, context),
  ];
  const run = async (signal: AbortSignal): Promise<void> => {
    await client.apply(builtinKinds.StorageClass, storageClass, { fieldManager: "butler-local-node", signal });
    await Promise.all([runControllers(caches, runtimes, signal), runTenantRoutes(signal)]);
  };
  /** Butler's CRDs are installed with Butler, which an engine may get later or never. */
  const runTenantRoutes = async (signal: AbortSignal): Promise<void> => {
    await untilServed(client, { kinds: tenantRouteKinds, signal });
    if (signal.aborted) return;
    const own = new CacheSet(client, { logger, metrics });
    const runtime = new ControllerRuntime(tenantRouteController, {
      ...context,
      caches: own,
      ports: { routes: kernelRoutes(values["network-namespace"]) },
    });
    await runControllers(own, [runtime], signal);
  };
  return { run, isReady: () => caches.isHealthy, waitsFor: () => caches.faults };
}
