import { ManagementAddon, TenantAddon } from "@butler/api";
import { ControllerRuntime, type RuntimeOptions } from "@butler/controller";
import { AddonMetrics } from "./addon-metrics.ts";
import { AddonWork, type AddonWorkOptions } from "./addon-work.ts";
import { managementAddonController } from "./management-addon/controller.ts";
import { addonOfJob } from "./release/job-key.ts";
import { tenantAddonController } from "./tenant-addon/controller.ts";

/** The controllers of add-ons: those of tenants, and those of the management cluster. */
export const addonControllers = [tenantAddonController, managementAddonController] as const;

/** Options of the controllers. */
export type AddonControllerOptions = Omit<RuntimeOptions<never>, "ports"> & AddonWorkOptions;

/** Creates the controllers; the last of the three stops the work on releases when the signal aborts. */
export function createAddonControllers(options: AddonControllerOptions) {
  const { client, caches, clock, logger, queue, intercept } = options;
  const common = {
    client,
    caches,
    ...(clock === undefined ? {} : { clock }),
    ...(logger === undefined ? {} : { logger }),
    ...(queue === undefined ? {} : { queue }),
    ...(intercept === undefined ? {} : { intercept }),
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
  };
  const metrics = new AddonMetrics(options.metrics);
  const wake = (key: string): void => {
    const [ofTenant, ofManagement] = [addonOfJob("tenant", key), addonOfJob("management", key)];
    if (ofTenant !== undefined) tenantAddons.wake(ofTenant);
    if (ofManagement !== undefined) managementAddons.wake(ofManagement);
  };
  const work = new AddonWork(options, { metrics, wake });
  const tenantAddons = new ControllerRuntime(tenantAddonController, { ...common, ports: work.ports });
  const isAllowed = options.management !== undefined;
  const ports = { ...work.ports, isAllowed };
  const managementAddons = new ControllerRuntime(managementAddonController, { ...common, ports });
  metrics.follow(caches.of(TenantAddon));
  metrics.follow(caches.of(ManagementAddon));
  return [tenantAddons, managementAddons, work] as const;
}
