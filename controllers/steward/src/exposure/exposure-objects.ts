import type { TenantControlPlane } from "@butler/api";
import type { KubeObject } from "@butler/resource";
import { exposureModeOf } from "./exposure-mode.ts";
import { planIngress } from "./ingress.ts";
import { planTLSRoute } from "./tls-route.ts";

/**
 * The objects in front of a control plane's Service: none for a Service that clients reach directly, and nothing behind
 * Butler's own SNI gateway, which reads its routes from the control planes themselves.
 */
export function exposureObjects(tcp: TenantControlPlane): KubeObject[] {
  const mode = exposureModeOf(tcp);
  switch (mode.kind) {
    case "ingress":
      return [planIngress(tcp, mode)];
    case "gateway":
      return [planTLSRoute(tcp, mode)];
    case "service":
    case "sniGateway":
      return [];
  }
}
