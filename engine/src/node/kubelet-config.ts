import { join } from "node:path";
import type { NetworkLayout } from "./network-layout.ts";

/** Inputs of the kubelet's configuration. */
export interface KubeletSettings {
  readonly layout: NetworkLayout;
  readonly pki: string;
  readonly containerdSocket: string;
  readonly cgroupRoot: string;
  readonly podLogs: string;
  readonly resolvConf: string;
  readonly hasCgroupV2: boolean;
}

/** The kubelet's configuration. */
export function buildKubeletConfig(settings: KubeletSettings): object {
  const { layout, pki } = settings;
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: layout.nodeAddress,
    healthzBindAddress: layout.nodeAddress,
    readOnlyPort: 0,
    tlsCertFile: join(pki, "kubelet-serving.crt"),
    tlsPrivateKeyFile: join(pki, "kubelet-serving.key"),
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(pki, "ca.crt") },
    },
    authorization: { mode: "Webhook" },
    containerRuntimeEndpoint: `unix://${settings.containerdSocket}`,
    cgroupDriver: "cgroupfs",
    cgroupRoot: settings.cgroupRoot,
    cgroupsPerQOS: true,
    failSwapOn: false,
    ...(settings.hasCgroupV2 ? {} : { failCgroupV1: false }),
    clusterDomain: "cluster.local",
    clusterDNS: [layout.dnsAddress],
    resolvConf: settings.resolvConf,
    podLogsDir: settings.podLogs,
    // A laptop's disk is often nearly full; the engine must not delete images that no registry can replace.
    imageGCHighThresholdPercent: 100,
    evictionHard: { "memory.available": "100Mi", "nodefs.available": "1%", "nodefs.inodesFree": "1%" },
    maxPods: 250,
    nodeStatusUpdateFrequency: "5s",
    serializeImagePulls: false,
    registerNode: true,
  };
}
