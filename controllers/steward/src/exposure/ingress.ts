import type { TenantControlPlane } from "@butler/api";
import { apiVersionOf, type KubeObject } from "@butler/resource";
import type { ExposureMode } from "./exposure-mode.ts";
import { Ingress, IngressRouteTCP } from "./kinds.ts";
import { metadataOf } from "./object-metadata.ts";
import { apiServerPortName } from "./service.ts";

type IngressMode = Extract<ExposureMode, { kind: "ingress" }>;

/**
 * The annotations that make each ingress controller pass TLS through to the API server. Traefik has a kind of its own
 * for that.
 */
const passthroughAnnotations = {
  haproxy: { "haproxy.org/ssl-passthrough": "true" },
  nginx: {
    "nginx.ingress.kubernetes.io/ssl-passthrough": "true",
    "nginx.ingress.kubernetes.io/backend-protocol": "HTTPS",
  },
  generic: {},
} as const;

/** The object that makes an ingress controller forward connections for the host, in its own format. */
export function planIngress(tcp: TenantControlPlane, mode: IngressMode): KubeObject {
  const { controllerType = "generic" } = mode.settings;
  if (controllerType === "traefik") return planIngressRouteTCP(tcp, mode);
  const { additionalMetadata, ingressClassName } = mode.settings;
  const service = { name: tcp.metadata.name, port: { name: apiServerPortName } };
  return {
    apiVersion: apiVersionOf(Ingress),
    kind: Ingress.kind,
    metadata: metadataOf(tcp, {
      component: "ingress",
      additional: additionalMetadata,
      annotations: passthroughAnnotations[controllerType],
    }),
    spec: {
      ...(ingressClassName === undefined ? {} : { ingressClassName }),
      tls: [{ hosts: [mode.host] }],
      rules: [{ host: mode.host, http: { paths: [{ path: "/", pathType: "Prefix", backend: { service } }] } }],
    },
  } as KubeObject;
}

/**
 * One route for the host of this control plane only: a name that tenants share, such as `kubernetes`, would route
 * clients of one tenant to another.
 */
function planIngressRouteTCP(tcp: TenantControlPlane, mode: IngressMode): KubeObject {
  const { additionalMetadata, ingressClassName } = mode.settings;
  const hasClass = ingressClassName !== undefined;
  return {
    apiVersion: apiVersionOf(IngressRouteTCP),
    kind: IngressRouteTCP.kind,
    metadata: metadataOf(tcp, {
      component: "ingress",
      additional: additionalMetadata,
      // Older Traefik releases read the annotation instead of the field.
      annotations: hasClass ? { "kubernetes.io/ingress.class": ingressClassName } : {},
    }),
    spec: {
      ...(hasClass ? { ingressClassName } : {}),
      entryPoints: ["websecure"],
      routes: [
        {
          match: `HostSNI(\`${mode.host}\`)`,
          services: [{ name: tcp.metadata.name, port: tcp.spec.networkProfile.port }],
        },
      ],
      tls: { passthrough: true },
    },
  } as KubeObject;
}
