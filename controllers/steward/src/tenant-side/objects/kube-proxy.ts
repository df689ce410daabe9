import { digestOf } from "@butler/controller";
import type { DynamicObject } from "@butler/resource";
import { stewardDomain } from "../../names.ts";
import { keptKinds } from "../kinds.ts";
import { binding, keptObject, type ObjectParts, role, systemNamespace, yamlText } from "./object-builders.ts";

/** Options of kube-proxy. */
export interface KubeProxyOptions {
  /** Without image name and tag. */
  readonly imageRepository?: string | undefined;
  readonly imageTag?: string | undefined;
  /** Defaults to the mode that kube-proxy chooses. */
  readonly mode?: "iptables" | "ipvs" | "nftables" | undefined;
  /** Connections to be tracked per core; 0 leaves the kernel's limit alone, which nodes inside of pods need. */
  readonly conntrackMaxPerCore?: number | undefined;
}

export interface KubeProxyInput extends Pick<KubeProxyOptions, "mode" | "conntrackMaxPerCore"> {
  readonly image: string;
  readonly server: string;
  readonly podCidr: string;
  readonly bindAddress: "0.0.0.0" | "::";
}

const component = "kube-proxy";
const podLabels = { "k8s-app": "kube-proxy" } as const;
const configDirectory = "/var/lib/kube-proxy";
const serviceAccountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount";
const configDigestAnnotation = `${stewardDomain}/config-digest`;

/** The service proxy that runs on every node. */
export function kubeProxyObjects(input: KubeProxyInput): DynamicObject[] {
  const data = {
    "config.conf": yamlText(buildConfiguration(input)),
    "kubeconfig.conf": yamlText(buildKubeconfig(input.server)),
  };
  const configAccess = { namespace: systemNamespace, name: "kube-proxy" };
  return [
    inSystem("ServiceAccount", {}),
    binding(component, { name: "kubeadm:node-proxier", role: "system:node-proxier" }, [
      { serviceAccount: "kube-proxy" },
    ]),
    role(component, configAccess, [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get"], resourceNames: ["kube-proxy"] },
    ]),
    binding(component, configAccess, [{ group: "system:bootstrappers:kubeadm:default-node-token" }]),
    inSystem("ConfigMap", { labels: { app: "kube-proxy" }, body: { data } }),
    daemonSetObject(input.image, digestOf(data)),
  ];
}

function inSystem(kind: keyof typeof keptKinds, parts: Omit<ObjectParts, "component">): DynamicObject {
  return keptObject(keptKinds[kind], { namespace: systemNamespace, name: "kube-proxy" }, { component, ...parts });
}

function buildConfiguration({ bindAddress, podCidr, mode, conntrackMaxPerCore }: KubeProxyInput): object {
  return {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    bindAddress,
    clientConnection: { kubeconfig: `${configDirectory}/kubeconfig.conf` },
    // Traffic from outside this CIDR to a Service is masqueraded.
    clusterCIDR: podCidr,
    ...(mode === undefined ? {} : { mode }),
    ...(conntrackMaxPerCore === undefined ? {} : { conntrack: { maxPerCore: conntrackMaxPerCore } }),
  };
}

/** The API server by its announced endpoint: the `kubernetes` Service does not work before kube-proxy does. */
function buildKubeconfig(server: string): object {
  const name = "default";
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { "certificate-authority": `${serviceAccountDirectory}/ca.crt`, server } }],
    contexts: [{ name, context: { cluster: name, namespace: "default", user: name } }],
    "current-context": name,
    users: [{ name, user: { tokenFile: `${serviceAccountDirectory}/token` } }],
  };
}

function daemonSetObject(image: string, configDigest: string): DynamicObject {
  const container = {
    name: "kube-proxy",
    image,
    imagePullPolicy: "IfNotPresent",
    command: [
      "/usr/local/bin/kube-proxy",
      `--config=${configDirectory}/config.conf`,
      "--hostname-override=$(NODE_NAME)",
    ],
    env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
    securityContext: { privileged: true },
    volumeMounts: [
      { name: "kube-proxy", mountPath: configDirectory },
      { name: "xtables-lock", mountPath: "/run/xtables.lock" },
      { name: "lib-modules", mountPath: "/lib/modules", readOnly: true },
    ],
  };
  const spec = {
    priorityClassName: "system-node-critical",
    hostNetwork: true,
    serviceAccountName: "kube-proxy",
    nodeSelector: { "kubernetes.io/os": "linux" },
    tolerations: [{ operator: "Exists" }],
    containers: [container],
    volumes: [
      { name: "kube-proxy", configMap: { name: "kube-proxy" } },
      { name: "xtables-lock", hostPath: { path: "/run/xtables.lock", type: "FileOrCreate" } },
      { name: "lib-modules", hostPath: { path: "/lib/modules" } },
    ],
  };
  // kube-proxy reads its configuration only at startup, so a change must roll the pods.
  const metadata = { labels: podLabels, annotations: { [configDigestAnnotation]: configDigest } };
  return inSystem("DaemonSet", {
    labels: podLabels,
    body: {
      spec: {
        selector: { matchLabels: podLabels },
        updateStrategy: { type: "RollingUpdate" },
        template: { metadata, spec },
      },
    },
  });
}
