import { TenantControlPlane } from "@butler/api";
import { type DynamicObject, type InputOf, type ObjectMeta, parseObject } from "@butler/resource";
import { Service } from "../kinds.ts";

type SpecInput = InputOf<typeof TenantControlPlane>["spec"];

/** The fields that a test sets; all others have the defaults of the API server. */
export interface ControlPlaneTraits {
  readonly metadata?: Partial<ObjectMeta>;
  readonly serviceType?: SpecInput["controlPlane"]["service"]["serviceType"];
  readonly service?: Partial<SpecInput["controlPlane"]["service"]>;
  readonly ingress?: SpecInput["controlPlane"]["ingress"];
  readonly gateway?: SpecInput["controlPlane"]["gateway"];
  readonly networkProfile?: SpecInput["networkProfile"];
}

/** A control plane as the API server would return it. */
export function aControlPlane(traits: ControlPlaneTraits = {}): TenantControlPlane {
  const { serviceType = "ClusterIP", service, ingress, gateway, networkProfile = {} } = traits;
  const { name = "blue" } = traits.metadata ?? {};
  return parseObject(TenantControlPlane, {
    apiVersion: TenantControlPlane.apiVersion,
    kind: TenantControlPlane.kind,
    metadata: {
      name,
      namespace: "default",
      uid: `uid-of-${name}`,
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...traits.metadata,
    },
    spec: {
      controlPlane: {
        service: { serviceType, ...service },
        ...(ingress === undefined ? {} : { ingress }),
        ...(gateway === undefined ? {} : { gateway }),
      },
      kubernetes: { version: "v1.36.3", kubelet: {} },
      networkProfile,
    },
  });
}

/** The fields of the Service that a test sets. */
export interface ServiceTraits {
  readonly clusterIPs?: readonly string[];
  readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
  readonly port?: number;
}

/** The Service of the control plane `blue` as the API server would return it. */
export function aService({ clusterIPs = ["10.96.7.7"], ingress = [], port = 6443 }: ServiceTraits = {}): Service &
  DynamicObject {
  return {
    apiVersion: "v1",
    kind: Service.kind,
    metadata: { name: "blue", namespace: "default" },
    spec: {
      ...(clusterIPs[0] === undefined ? {} : { clusterIP: clusterIPs[0] }),
      clusterIPs: [...clusterIPs],
      ports: [
        { name: "metrics", port: 9090 },
        { name: "kube-apiserver", port },
      ],
    },
    status: { loadBalancer: { ingress: [...ingress] } },
  };
}
