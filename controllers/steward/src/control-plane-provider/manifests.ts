import { type StewardControlPlane, TenantControlPlane } from "@butler/api";
import { caSecretName, clusterNameLabel, clusterSecretType, kubeconfigSecretName } from "@butler/api-external";
import type { InputOf, KubeObject } from "@butler/resource";
import { exportedLabels } from "./names.ts";
import { propagatedMetadata } from "./propagated-metadata.ts";
import type { TenantNetwork } from "./tenant-network.ts";

type TenantInput = InputOf<typeof TenantControlPlane>;

export interface TenantManifestInput {
  readonly controlPlane: StewardControlPlane;
  readonly clusterName: string;
  readonly network: TenantNetwork;
}

/** The TenantControlPlane of a StewardControlPlane: the same name and the translated spec. */
export function buildTenantControlPlane({ controlPlane, clusterName, network }: TenantManifestInput): TenantInput {
  const { name, namespace } = controlPlane.metadata;
  const { spec } = controlPlane;
  const { coreDNS, ...addons } = spec.addons;
  return {
    apiVersion: TenantControlPlane.apiVersion,
    kind: TenantControlPlane.kind,
    metadata: { name, namespace, ...propagatedMetadata(controlPlane, clusterName) },
    spec: {
      dataStore: spec.dataStoreName || undefined,
      dataStoreSchema: spec.dataStoreSchema,
      dataStoreUsername: spec.dataStoreUsername,
      controlPlane: {
        deployment: deploymentOf(controlPlane),
        service: {
          serviceType: spec.network.serviceType,
          additionalMetadata: { labels: spec.network.serviceLabels, annotations: spec.network.serviceAnnotations },
        },
        ...entranceOf(controlPlane),
      },
      kubernetes: {
        version: withLeadingV(spec.version),
        kubelet: spec.kubelet,
        admissionControllers: spec.admissionControllers,
      },
      networkProfile: {
        ...network,
        address: spec.network.serviceAddress || undefined,
        certSANs: certificateNames(controlPlane),
        loadBalancerSourceRanges: spec.network.loadBalancerConfig?.loadBalancerSourceRanges,
        loadBalancerClass: spec.network.loadBalancerConfig?.loadBalancerClass,
      },
      certificates: spec.certificates,
      addons: { ...addons, ...(coreDNS === undefined ? {} : { coreDNS: withoutAddresses(coreDNS) }) },
    },
  };
}

/** The version with the `v` that image tags and Cluster API expect. */
export function withLeadingV(version: string): string {
  return version.startsWith("v") ? version : `v${version}`;
}

function deploymentOf({ spec }: StewardControlPlane): TenantInput["spec"]["controlPlane"]["deployment"] {
  const {
    extraInitContainers,
    extraContainers,
    extraVolumes,
    externalClusterReference: _elsewhere,
    serviceAccountName,
    ...placement
  } = spec.deployment;
  const { apiServer = {}, controllerManager = {}, scheduler = {}, kine = {} } = spec;
  return {
    ...placement,
    replicas: spec.replicas,
    serviceAccountName: serviceAccountName || undefined,
    registrySettings: {
      registry: spec.registry,
      apiServerImage: apiServer.containerImageName,
      controllerManagerImage: controllerManager.containerImageName,
      schedulerImage: scheduler.containerImageName,
    },
    resources: {
      apiServer: apiServer.resources,
      controllerManager: controllerManager.resources,
      scheduler: scheduler.resources,
      kine: kine.resources,
    },
    extraArgs: {
      apiServer: apiServer.extraArgs,
      controllerManager: controllerManager.extraArgs,
      scheduler: scheduler.extraArgs,
      kine: kine.extraArgs,
    },
    additionalInitContainers: extraInitContainers,
    additionalContainers: extraContainers,
    additionalVolumes: extraVolumes,
    additionalVolumeMounts: {
      apiServer: apiServer.extraVolumeMounts,
      controllerManager: controllerManager.extraVolumeMounts,
      scheduler: scheduler.extraVolumeMounts,
    },
  };
}

function entranceOf({ spec }: StewardControlPlane): Pick<TenantInput["spec"]["controlPlane"], "ingress" | "gateway"> {
  const { ingress, gateway } = spec.network;
  return {
    ingress: ingress && {
      ingressClassName: ingress.className,
      hostname: ingress.hostname,
      controllerType: ingress.controllerType,
      additionalMetadata: { labels: ingress.extraLabels, annotations: ingress.extraAnnotations },
    },
    gateway: gateway && {
      parentRefs: gateway.parentRefs,
      hostname: gateway.hostname,
      additionalMetadata: { labels: gateway.extraLabels, annotations: gateway.extraAnnotations },
    },
  };
}

/** The names that the certificate must carry, with the host by which an ingress or gateway is reached. */
function certificateNames({ spec }: StewardControlPlane): string[] | undefined {
  const { certSANs = [], ingress, gateway } = spec.network;
  const hosts = [ingress?.hostname.replace(/:\d+$/, ""), gateway?.hostname].filter((host) => host !== undefined);
  const names = [...new Set([...certSANs, ...hosts])];
  return names.length === 0 ? undefined : names;
}

function withoutAddresses(coreDNS: NonNullable<StewardControlPlane["spec"]["addons"]["coreDNS"]>) {
  const { dnsServiceIPs: _stated, ...image } = coreDNS;
  return image;
}

export interface ClusterSecretInput {
  readonly controlPlane: StewardControlPlane;
  readonly clusterName: string;
}

/** The Secret with which Cluster API connects to the tenant. The kubeconfig comes and goes in base64. */
export function buildKubeconfigSecret(input: ClusterSecretInput & { readonly kubeconfig: string }): KubeObject {
  return clusterSecret(kubeconfigSecretName(input.clusterName), { ...input, data: { value: input.kubeconfig } });
}

/**
 * The Secret with which bootstrap providers tell joining workers whom to trust. Cluster API insists on a key beside the
 * certificate, but only machines that are to become control planes would use it, and there are none: so the key of the
 * tenant's authority, which grants administrator access, is not copied to a second Secret.
 */
export function buildAuthoritySecret(input: ClusterSecretInput & { readonly certificate: string }): KubeObject {
  const data = { "tls.crt": input.certificate, "tls.key": placeholder };
  return clusterSecret(caSecretName(input.clusterName), { ...input, data });
}

const placeholder = Buffer.from("The CA key stays with the control plane; workers join without it.\n")
  .toString("base64")
  .trim();

function clusterSecret(
  name: string,
  { controlPlane, clusterName, data }: ClusterSecretInput & { readonly data: Record<string, string> },
): KubeObject {
  const { namespace, name: tenantName } = controlPlane.metadata;
  const labels = { ...exportedLabels(tenantName), [clusterNameLabel]: clusterName };
  const metadata = { name, namespace, labels };
  return { apiVersion: "v1", kind: "Secret", metadata, type: clusterSecretType, data } as KubeObject;
}
