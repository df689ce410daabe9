import { machineImageFault, type TenantCluster } from "@butler/api";
import { deniedFor } from "@butler/controller";
import type { Denial } from "@butler/kube";
import type { TenantClusterInput } from "./input.ts";
import { templatesOf } from "./provider.ts";

/**
 * Rejects images of machines that are pods of the management cluster, unless the platform lists them. The provider asks
 * again before it creates a pod.
 */
export function localImageDenials({ cluster, before, facts: { provider, config } }: TenantClusterInput): Denial[] {
  if (provider?.spec.provider !== "local") return [];
  const known = before === undefined ? new Map<string, string | undefined>() : imagesByPool(before);
  return templatesOf(cluster)
    .filter(({ name, template }) => template.os.imageRef !== known.get(name))
    .flatMap(({ path, template: { os } }) =>
      deniedFor("NOT_ALLOWED", `${path}.os.imageRef`, machineImageFault(os.imageRef, config)),
    );
}

function imagesByPool(cluster: TenantCluster): Map<string, string | undefined> {
  return new Map(templatesOf(cluster).map(({ name, template }) => [name, template.os.imageRef]));
}
