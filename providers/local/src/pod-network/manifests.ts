import type { ApiEndpoint } from "@butler/api-external";
import type { Kind, KubeObject } from "@butler/resource";

const rbac = "rbac.authorization.k8s.io";
const name = "butler-network";
const namespace = "kube-system";
const labels = { "app.kubernetes.io/name": name, "app.kubernetes.io/managed-by": "butler" };

/** The kinds of a pod network's objects, in the order in which they are applied. */
export const podNetworkKinds = [
  { group: "", version: "v1", kind: "ServiceAccount", plural: "serviceaccounts", scope: "Namespaced" },
  { group: rbac, version: "v1", kind: "ClusterRole", plural: "clusterroles", scope: "Cluster" },
  { group: rbac, version: "v1", kind: "ClusterRoleBinding", plural: "clusterrolebindings", scope: "Cluster" },
  { group: "apps", version: "v1", kind: "DaemonSet", plural: "daemonsets", scope: "Namespaced" },
] as const satisfies readonly Kind[];

/** The program of the node image that sets up the network, and the host directories that it needs. */
const program = "/usr/local/bin/butler-network";
const programFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];

/**
 * The pod network of a cluster whose machines are pods: an agent on each node, which is a program of the node image.
 * The container contains no program of its own, so any image works that every node has.
 */
export function buildPodNetwork(endpoint: ApiEndpoint, image: string): KubeObject[] {
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace, labels } },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: { name, labels },
      rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] }],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name, labels },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    },
    {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { name, namespace, labels },
      spec: {
        selector: { matchLabels: { "app.kubernetes.io/name": name } },
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "100%" } },
        template: { metadata: { labels }, spec: agentPod(endpoint, image) },
      },
    },
  ] as KubeObject[];
}

function agentPod({ host, port }: ApiEndpoint, image: string): object {
  const folders = programFolders.map((path) => ({ name: path.slice(1), path, readOnly: true }));
  const mounts = [
    ...folders,
    { name: "cni-configuration", path: "/etc/cni/net.d", readOnly: false },
    { name: "run", path: "/run", readOnly: false },
  ];
  return {
    serviceAccountName: name,
    hostNetwork: true,
    priorityClassName: "system-node-critical",
    // The node is not ready, and so is tainted, until this has run.
    tolerations: [{ operator: "Exists" }],
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: "agent",
        image,
        imagePullPolicy: "IfNotPresent",
        command: [program],
        env: [
          { name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
          { name: "PATH", value: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
          // The API server's own address: its Service is reachable only once kube-proxy has run.
          { name: "KUBERNETES_SERVICE_HOST", value: host },
          { name: "KUBERNETES_SERVICE_PORT", value: String(port) },
        ],
        resources: { requests: { cpu: "10m", memory: "32Mi" } },
        securityContext: { runAsUser: 0, capabilities: { add: ["NET_ADMIN", "NET_RAW"] } },
        volumeMounts: mounts.map(({ name: volume, path, readOnly }) => ({ name: volume, mountPath: path, readOnly })),
      },
    ],
    volumes: mounts.map(({ name: volume, path }) => ({ name: volume, hostPath: { path } })),
  };
}
