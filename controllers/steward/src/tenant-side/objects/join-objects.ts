import type { DynamicObject } from "@butler/resource";
import { keptKinds } from "../kinds.ts";
import { binding, keptObject, publicNamespace, role, systemNamespace, yamlText } from "./object-builders.ts";

/** The group that bootstrap tokens of kubeadm are in. */
const bootstrappers = { group: "system:bootstrappers:kubeadm:default-node-token" } as const;
const nodes = { group: "system:nodes" } as const;

/** The public endpoint and CA of the cluster, for joining nodes. */
export function clusterInfoObjects({ server, caPem }: { server: string; caPem: string }): DynamicObject[] {
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "", cluster: { server, "certificate-authority-data": Buffer.from(caPem).toString("base64") } }],
    contexts: [],
    "current-context": "",
    users: [],
  };
  const key = { namespace: publicNamespace, name: "kubeadm:bootstrap-signer-clusterinfo" };
  return [
    keptObject(
      keptKinds.ConfigMap,
      { namespace: publicNamespace, name: "cluster-info" },
      { component: "cluster-info", body: { data: { kubeconfig: yamlText(kubeconfig) } } },
    ),
    role("cluster-info", key, [readingOf("cluster-info")]),
    binding("cluster-info", key, [{ user: "system:anonymous" }]),
  ];
}

/** The configuration of the cluster as kubeadm reads it when a node joins. */
export function kubeadmConfigObjects(configuration: object): DynamicObject[] {
  const key = { namespace: systemNamespace, name: "kubeadm:nodes-kubeadm-config" };
  return [
    configMap("kubeadm-config", { ClusterConfiguration: yamlText(configuration) }),
    role("kubeadm-config", key, [readingOf("kubeadm-config")]),
    binding("kubeadm-config", key, [bootstrappers, nodes]),
  ];
}

/** The configuration of joining kubelets. */
export function kubeletConfigObjects(configuration: object): DynamicObject[] {
  const key = { namespace: systemNamespace, name: "kubeadm:kubelet-config" };
  return [
    configMap("kubelet-config", { kubelet: yamlText(configuration) }),
    role("kubelet-config", key, [readingOf("kubelet-config")]),
    binding("kubelet-config", key, [nodes, bootstrappers]),
  ];
}

/** What bootstrap tokens, nodes, the API server and administrators may do. */
export function accessObjects(): DynamicObject[] {
  const requests = "system:certificates.k8s.io:certificatesigningrequests";
  const getNodes = { name: "kubeadm:get-nodes" };
  return [
    role("bootstrap", getNodes, [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }]),
    binding("bootstrap", getNodes, [bootstrappers]),
    binding("bootstrap", { name: "kubeadm:kubelet-bootstrap", role: "system:node-bootstrapper" }, [bootstrappers]),
    binding("bootstrap", { name: "kubeadm:node-autoapprove-bootstrap", role: `${requests}:nodeclient` }, [
      bootstrappers,
    ]),
    binding(
      "bootstrap",
      { name: "kubeadm:node-autoapprove-certificate-rotation", role: `${requests}:selfnodeclient` },
      [nodes],
    ),
    // Without it the kubelets refuse the API server's `exec` and `logs`.
    binding("bootstrap", { name: "kubeadm:apiserver-kubelet-client", role: "system:kubelet-api-admin" }, [
      { user: "kube-apiserver-kubelet-client" },
    ]),
    binding("bootstrap", { name: "kubeadm:cluster-admins", role: "cluster-admin" }, [
      { group: "kubeadm:cluster-admins" },
    ]),
  ];
}

function configMap(name: "kubeadm-config" | "kubelet-config", data: Record<string, string>): DynamicObject {
  return keptObject(keptKinds.ConfigMap, { namespace: systemNamespace, name }, { component: name, body: { data } });
}

function readingOf(name: string) {
  return { apiGroups: [""], resources: ["configmaps"], verbs: ["get"], resourceNames: [name] };
}
