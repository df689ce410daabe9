import { isIP } from "node:net";
import type { TenantControlPlane } from "@butler/api";
import { keyText } from "@butler/resource";
import { claimedHostOf } from "../exposure/exposure-mode.ts";
import type { Service } from "../exposure/kinds.ts";
import { apiServerPortName, portNamed } from "../exposure/service.ts";
import type { RouteClaim, Upstream } from "./route-table.ts";

/** The claims of the control planes, with the addresses of their Services. */
export function routeClaims(controlPlanes: readonly TenantControlPlane[], services: readonly Service[]): RouteClaim[] {
  const serviceByKey = new Map(services.map((service) => [keyText(service.metadata), service]));
  return controlPlanes.map((controlPlane) => {
    const { uid = "", namespace = "", name, creationTimestamp } = controlPlane.metadata;
    return {
      tenant: { uid, namespace, name },
      creationTimestamp,
      hostname: usesGateway(controlPlane) ? claimedHostOf(controlPlane) : undefined,
      upstream: upstreamOf(serviceByKey.get(keyText(controlPlane.metadata))),
    };
  });
}

/** A gateway with parentRefs is not ours. */
function usesGateway({ spec }: TenantControlPlane): boolean {
  const { ingress, gateway } = spec.controlPlane;
  return ingress === undefined && gateway !== undefined && (gateway.parentRefs ?? []).length === 0;
}

function upstreamOf(service: Service | undefined): Upstream | undefined {
  const { clusterIP: host = "" } = service?.spec ?? {};
  const port = service === undefined ? undefined : portNamed(service, apiServerPortName)?.port;
  return isIP(host) === 0 || port === undefined ? undefined : { host, port };
}
