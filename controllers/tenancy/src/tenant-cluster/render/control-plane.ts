import { type ButlerConfig, StewardControlPlane } from "@butler/api";
import type { ClusterInput, MachineProvider } from "@butler/provider";
import type { KubeObject } from "@butler/resource";
import { type ControlPlaneExposure, exposureOf } from "../settings.ts";

type Resources = NonNullable<ButlerConfig["spec"]["defaultControlPlaneResources"]>;

/** The hosted control plane. */
export function controlPlaneObject(
  input: ClusterInput,
  provider: MachineProvider,
  config: ButlerConfig | undefined,
): KubeObject {
  const { cluster, namespace, labels, annotations, kubernetesVersion } = input;
  const { controlPlane } = cluster.spec;
  const { name } = cluster.metadata;
  const dataStoreName = controlPlane.dataStoreRef?.name;
  return {
    apiVersion: StewardControlPlane.apiVersion,
    kind: StewardControlPlane.kind,
    metadata: { name, namespace, labels: { ...labels }, annotations: { ...annotations } },
    spec: {
      version: kubernetesVersion,
      replicas: controlPlane.replicas,
      ...(dataStoreName === undefined ? {} : { dataStoreName }),
      addons: provider.controlPlaneAddons(input),
      ...componentResources(controlPlane.resources, config?.spec.defaultControlPlaneResources),
      network: network(exposureOf(cluster, { config, namespace }), controlPlane.certSANs),
    },
  } as KubeObject;
}

/** For each component the cluster's setting as a whole, or else the platform's. */
function componentResources(own: Resources = {}, platform: Resources = {}): Record<string, unknown> {
  const components = ["apiServer", "controllerManager", "scheduler"] as const;
  return Object.fromEntries(
    components.flatMap((component) => {
      const resources = own[component] ?? platform[component];
      return resources === undefined ? [] : [[component, { resources }]];
    }),
  );
}

function network(exposure: ControlPlaneExposure, certSANs: readonly string[] = []): Record<string, unknown> {
  const { serviceType, hostname, platform } = exposure;
  const base = { serviceType, ...(certSANs.length === 0 ? {} : { certSANs: [...certSANs] }) };
  if (hostname === undefined || platform === undefined) return base;
  if (platform.mode === "Gateway") {
    const [namespace, name] = (platform.gatewayRef ?? "").split("/");
    return { ...base, gateway: { hostname, parentRefs: [{ namespace, name }] } };
  }
  const { ingressClassName: className, controllerType } = platform;
  return {
    ...base,
    ingress: {
      hostname,
      ...(className === undefined ? {} : { className }),
      ...(controllerType === undefined ? {} : { controllerType }),
    },
  };
}
