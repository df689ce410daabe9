import { parseArgs } from "node:util";
import { ControllerRuntime } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import {
  createLocalProviderPorts,
  localClusterController,
  localMachineController,
  nodeImagesFrom,
} from "@butler/provider-local";
import type { Role, RoleWorld } from "./role.ts";
import { runControllers } from "./run-controllers.ts";

/** The local provider: Cluster API machines as pods. */
export function localProvider(argv: readonly string[], { client, logger, metrics }: RoleWorld): Role {
  const { values } = parseArgs({ args: [...argv], options: { "node-image-repository": { type: "string" } } });
  const caches = new CacheSet(client, { logger, metrics });
  const ports = createLocalProviderPorts(client, nodeImagesFrom(values["node-image-repository"]), { logger, metrics });
  const world = { client, caches, ports, logger, metrics };
  const runtimes = [
    new ControllerRuntime(localClusterController, world),
    new ControllerRuntime(localMachineController, world),
  ];
  return { run: (signal) => runControllers(caches, runtimes, signal), isReady: () => caches.isHealthy };
}
