import type { TenantControlPlane } from "@butler/api";
import { apiVersionOf, type KubeObject } from "@butler/resource";
import type { ExposureMode } from "./exposure-mode.ts";
import { TLSRoute } from "./kinds.ts";
import { metadataOf } from "./object-metadata.ts";
import { apiServerPortName } from "./service.ts";

/**
 * The route by which a Gateway forwards connections for the host. It attaches to the listener with the name and number
 * of the API server port, so that a Gateway with several listeners carries each kind of traffic once.
 */
export function planTLSRoute(tcp: TenantControlPlane, mode: Extract<ExposureMode, { kind: "gateway" }>): KubeObject {
  const { port } = tcp.spec.networkProfile;
  return {
    apiVersion: apiVersionOf(TLSRoute),
    kind: TLSRoute.kind,
    metadata: metadataOf(tcp, { component: "gateway", additional: mode.settings.additionalMetadata }),
    spec: {
      parentRefs: mode.parentRefs.map(({ group, kind, namespace, name }) => ({
        group,
        kind,
        ...(namespace === undefined ? {} : { namespace }),
        name,
        sectionName: apiServerPortName,
        port,
      })),
      hostnames: [mode.host],
      rules: [{ backendRefs: [{ group: "", kind: "Service", name: tcp.metadata.name, port, weight: 1 }] }],
    },
  } as KubeObject;
}
