import type { NetworkLayout } from "./network-layout.ts";

const labels = { "k8s-app": "kube-dns" };
const meta = (name: string): object => ({ name, namespace: "kube-system", labels });
const rbac = "rbac.authorization.k8s.io";

const corefile = `.:53 {
    errors
    health {
        lameduck 1s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
    }
    prometheus :9153
    forward . /etc/resolv.conf {
        max_concurrent 1000
    }
    cache 30
    loop
    reload
    loadbalance
}
`;

/** What a cluster needs before anything else runs in it: name resolution, and the API server's access to the kubelet. */
export function clusterManifests(layout: NetworkLayout, { coreDnsImage }: { coreDnsImage: string }): object[] {
  return [kubeletAccess, proxyAccess, ...dnsManifests(layout, coreDnsImage)];
}

/** Without it the kubelet denies `kubectl exec` and `kubectl logs`. */
const kubeletAccess = {
  apiVersion: `${rbac}/v1`,
  kind: "ClusterRoleBinding",
  metadata: { name: "butler:kubelet-api-admin" },
  roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "system:kubelet-api-admin" },
  subjects: [{ apiGroup: rbac, kind: "User", name: "kube-apiserver-kubelet-client" }],
};

const proxyAccess = {
  apiVersion: `${rbac}/v1`,
  kind: "ClusterRoleBinding",
  metadata: { name: "butler:node-proxier" },
  roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "system:node-proxier" },
  subjects: [{ apiGroup: rbac, kind: "User", name: "system:kube-proxy" }],
};

function dnsManifests({ dnsAddress }: NetworkLayout, image: string): object[] {
  const dnsPorts = [
    { name: "dns", port: 53, protocol: "UDP" },
    { name: "dns-tcp", port: 53, protocol: "TCP" },
  ];
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: meta("coredns") },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: { name: "system:coredns" },
      rules: [
        { apiGroups: [""], resources: ["endpoints", "services", "pods", "namespaces"], verbs: ["list", "watch"] },
        { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: "system:coredns" },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "system:coredns" },
      subjects: [{ kind: "ServiceAccount", name: "coredns", namespace: "kube-system" }],
    },
    { apiVersion: "v1", kind: "ConfigMap", metadata: meta("coredns"), data: { Corefile: corefile } },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: meta("kube-dns"),
      spec: { clusterIP: dnsAddress, selector: labels, ports: dnsPorts },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: meta("coredns"),
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: dnsPodSpec(image) },
      },
    },
  ];
}

function dnsPodSpec(image: string): object {
  return {
    serviceAccountName: "coredns",
    priorityClassName: "system-cluster-critical",
    tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists" }],
    // The node's own resolver, so that names outside the cluster are found.
    dnsPolicy: "Default",
    containers: [
      {
        name: "coredns",
        image,
        imagePullPolicy: "IfNotPresent",
        args: ["-conf", "/etc/coredns/Corefile"],
        ports: [{ containerPort: 53, protocol: "UDP" }],
        resources: { requests: { cpu: "50m", memory: "50Mi" }, limits: { memory: "170Mi" } },
        readinessProbe: { httpGet: { path: "/ready", port: 8181 }, periodSeconds: 1 },
        livenessProbe: { httpGet: { path: "/health", port: 8080 }, initialDelaySeconds: 30 },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] },
          readOnlyRootFilesystem: true,
        },
        volumeMounts: [{ name: "config", mountPath: "/etc/coredns", readOnly: true }],
      },
    ],
    volumes: [{ name: "config", configMap: { name: "coredns" } }],
  };
}
