import { parseArgs } from "node:util";
import { ControllerRuntime } from "@butler/controller";
import { CacheSet, connect, loadKubeConfig } from "@butler/kube";
import { loadBalancerController, localClaimController, localVolumeController, storageClass } from "@butler/local-node";
import { InvalidInput } from "@butler/std";
import type { Logger, MetricsRegistry } from "@butler/telemetry";

/** What every role has around it. */
export interface RoleWorld {
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** A role that is ready to run. */
export interface Role {
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly isReady: () => boolean;
}

const storageClasses = {
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  scope: "Cluster",
} as const;

/** Addresses and volumes for a local engine. */
export function localNode(argv: readonly string[], { logger, metrics }: RoleWorld): Role {
  const { values } = parseArgs({
    args: [...argv],
    options: { kubeconfig: { type: "string" }, "load-balancer-range": { type: "string" }, volumes: { type: "string" } },
  });
  const { kubeconfig, volumes, "load-balancer-range": loadBalancerRange } = values;
  if (kubeconfig === undefined || volumes === undefined || loadBalancerRange === undefined) {
    throw new InvalidInput("local-node needs --kubeconfig, --load-balancer-range and --volumes");
  }
  const { client, close } = connect(loadKubeConfig(kubeconfig), { metrics, userAgent: "butler-local-node" });
  const caches = new CacheSet(client, { logger, metrics });
  const ports = { client, volumeFolder: volumes, loadBalancerRange };
  const world = { client, caches, ports, logger, metrics };
  const runtimes = [
    new ControllerRuntime(loadBalancerController, world),
    new ControllerRuntime(localClaimController, world),
    new ControllerRuntime(localVolumeController, world),
  ];
  const run = async (signal: AbortSignal): Promise<void> => {
    await client.apply(storageClasses, storageClass, { fieldManager: "butler-local-node", signal });
    await caches.start(signal);
    await Promise.all(runtimes.map((runtime) => runtime.run(signal)));
    await caches.stopped();
    await close();
  };
  return { run, isReady: () => caches.isHealthy };
}
