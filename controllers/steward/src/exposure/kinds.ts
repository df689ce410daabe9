import { builtinKinds, type Kind, type KubeObject } from "@butler/resource";

/** Kubernetes' own Services. */
export const { Service } = builtinKinds;

/** One port of a Service. */
export interface ServicePort {
  name: string;
  port: number;
  targetPort?: number | string | undefined;
  protocol?: string | undefined;
  appProtocol?: string | undefined;
  nodePort?: number | undefined;
}

/** The fields of a Service that Steward sets or reads. */
export interface Service extends KubeObject {
  spec: {
    type?: string | undefined;
    selector?: Record<string, string> | undefined;
    ports?: ServicePort[] | undefined;
    clusterIP?: string | undefined;
    clusterIPs?: string[] | undefined;
    externalIPs?: string[] | undefined;
    loadBalancerClass?: string | undefined;
    loadBalancerSourceRanges?: string[] | undefined;
  };
  status?:
    | {
        loadBalancer?:
          { ingress?: { ip?: string | undefined; hostname?: string | undefined }[] | undefined } | undefined;
      }
    | undefined;
}

/** Kubernetes' own Ingresses. */
export const { Ingress } = builtinKinds;

/** Traefik's TCP routes. */
export const IngressRouteTCP = {
  group: "traefik.io",
  version: "v1alpha1",
  kind: "IngressRouteTCP",
  plural: "ingressroutetcps",
  scope: "Namespaced",
} as const satisfies Kind;

/** TLSRoutes of the Gateway API, in the only version of its standard channel. */
export const TLSRoute = {
  group: "gateway.networking.k8s.io",
  version: "v1",
  kind: "TLSRoute",
  plural: "tlsroutes",
  scope: "Namespaced",
} as const satisfies Kind;

/** Exposure kinds whose CRDs are optional: they are watched only where they are served. */
export const optionalExposureKinds: readonly Kind[] = [IngressRouteTCP, TLSRoute];
