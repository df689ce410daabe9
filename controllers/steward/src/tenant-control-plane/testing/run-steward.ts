import { ControllerRuntime, type Interceptor } from "@butler/controller";
import { CacheSet, type KubeClient } from "@butler/kube";
import { keyText } from "@butler/resource";
import type { Clock } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { createStoreConnections } from "../../data-store/index.ts";
import { TenantSides } from "../../tenant-side/index.ts";
import { tenantControlPlaneController, type TenantControlPlaneControllerOptions } from "../controller.ts";
import type { TenantReconciler } from "../ports/kept-tenants.ts";
import {
  createTenantControlPlanePorts,
  type PortsInput,
  type TenantControlPlanePorts,
} from "../ports/tenant-control-plane-ports.ts";

export interface RunStewardOptions extends Partial<Pick<PortsInput, "connections" | "settings">> {
  readonly intercept?: Interceptor;
  /** Reconciles the objects inside tenants; the real implementation by default. */
  readonly tenantSides?: TenantReconciler;
  readonly controller?: TenantControlPlaneControllerOptions;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Runs the controller of control planes against an API server. */
export async function runSteward(client: KubeClient, options: RunStewardOptions = {}) {
  const stopping = new AbortController();
  const caches = new CacheSet(client);
  const { ports, release } = portsFor(client, caches, options);
  const runtime = new ControllerRuntime(tenantControlPlaneController(options.controller), {
    client,
    caches,
    ports,
    queue: { backoff: { initialMs: 50, maximumMs: 1_000, factor: 2, jitter: 0.3 } },
    ...definedOf(options, "intercept", "clock", "logger"),
  });
  await caches.start(stopping.signal);
  const running = runtime.run(stopping.signal);
  const end = async (): Promise<void> => {
    await release();
    await caches.stopped();
  };
  return {
    runtime,
    ports,
    /** Stops the controller without waiting for running passes, as a crash would. */
    kill: async () => {
      stopping.abort();
      await end();
    },
    stop: async () => {
      stopping.abort();
      await running;
      await end();
    },
  };
}

function portsFor(client: KubeClient, caches: CacheSet, options: RunStewardOptions) {
  const sides = new TenantSides(definedOf(options, "logger", "clock"));
  const connections = createStoreConnections({ client });
  const production = createTenantControlPlanePorts({
    client,
    caches,
    connections: options.connections ?? connections,
    tenantSides: options.tenantSides ?? sides,
    ...definedOf(options, "settings", "clock"),
  });
  const { intercept } = options;
  const ports = intercept === undefined ? production : interceptedPorts(production, intercept);
  const release = async (): Promise<void> => {
    await sides.close();
    connections.close();
  };
  return { ports, release };
}

/** Ports whose every action is a separate side effect: an effect with several actions can be interrupted in between. */
function interceptedPorts(ports: TenantControlPlanePorts, intercept: Interceptor): TenantControlPlanePorts {
  const { vault, stores } = ports;
  return {
    ...ports,
    vault: {
      ...vault,
      write: (secret, signal) =>
        intercept({ verb: "apply", target: `secrets ${keyText(secret)}` }, () => vault.write(secret, signal)),
    },
    stores: {
      ...stores,
      ensure: (...call) => intercept({ verb: "perform", target: "ensureTenant" }, () => stores.ensure(...call)),
      remove: (...call) => intercept({ verb: "perform", target: "removeTenant" }, () => stores.remove(...call)),
    },
  };
}

/** The named options that are set. */
function definedOf<T extends object, K extends keyof T>(options: T, ...names: K[]): { [N in K]?: NonNullable<T[N]> } {
  const given = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]])) as { [N in K]?: NonNullable<T[N]> };
}
