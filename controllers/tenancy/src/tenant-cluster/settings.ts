import { type ButlerConfig, defaultKubernetesVersion, type TenantCluster } from "@butler/api";

type ServiceType = NonNullable<TenantCluster["spec"]["controlPlane"]["serviceType"]>;
type Exposure = NonNullable<ButlerConfig["spec"]["controlPlaneExposure"]>;

/** The desired version of a cluster, with its leading v. */
export function kubernetesVersionOf({ spec }: TenantCluster): string {
  return spec.kubernetesVersion ?? defaultKubernetesVersion;
}

/** The exposure of a cluster's API server. */
export interface ControlPlaneExposure {
  readonly serviceType: ServiceType;
  /** The host name that identifies the cluster on a shared address; undefined when the cluster has its own address. */
  readonly hostname: string | undefined;
  readonly platform: Exposure | undefined;
}

/** The exposure from the cluster's spec, or else the platform's settings. */
export function exposureOf(
  { metadata, spec }: TenantCluster,
  { config, namespace }: { readonly config: ButlerConfig | undefined; readonly namespace: string },
): ControlPlaneExposure {
  const platform = config?.spec.controlPlaneExposure;
  const isShared = platform !== undefined && platform.mode !== "LoadBalancer";
  const domain = platform?.hostname?.replace(/^\*\./, "");
  return {
    serviceType: spec.controlPlane.serviceType ?? (isShared ? "ClusterIP" : "LoadBalancer"),
    hostname: isShared && domain !== undefined ? `${metadata.name}.${namespace}.${domain}` : undefined,
    platform: isShared ? platform : undefined,
  };
}
