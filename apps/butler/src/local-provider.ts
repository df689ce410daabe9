import { parseArgs } from "node:util";
import { ControllerRuntime } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import {
  createLocalProviderPorts,
  localClusterController,
  localMachineController,
  nodeImagesFrom,
} from "@butler/provider-local";
import type { Role, RoleContext } from "./role.ts";
import { runControllers } from "./run-controllers.ts";

/** The local provider: Cluster API machines as pods. */
export function localProvider(argv: readonly string[], { client, logger, metrics }: RoleContext): Role {
  const { values } = parseArgs({ args: [...argv], options: { "node-image-repository": { type: "string" } } });
  const caches = new CacheSet(client, { logger, metrics });
  const ports = createLocalProviderPorts(client, nodeImagesFrom(values["node-image-repository"]), { logger, metrics });
  const context = { client, caches, ports, logger, metrics };
  const runtimes = [
    new ControllerRuntime(localClusterController, context),
    new ControllerRuntime(localMachineController, context),
  ];
  return {
    run: (signal) => runControllers(caches, runtimes, signal),
    isReady: () => caches.isHealthy,
    waitsFor: () => caches.faults,
  };
}
