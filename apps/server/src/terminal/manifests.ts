import { labels, managedByButler } from "@butler/api";
import type { KubeConfig } from "@butler/kube";
import type { DynamicObject, ObjectMeta } from "@butler/resource";
import { formatIpAddress, parseIpAddress } from "@butler/std";
import { terminalTimes, type TerminalRecord } from "./terminal.ts";

/** The namespace of terminals. It contains nothing else, and nothing in it has any permissions. */
export const terminalNamespace = "butler-terminals";

/** The namespace, in a tenant, of the accounts of terminals. Every cluster has it. */
export const tenantAccountNamespace = "kube-system";

/** The label with the id of the terminal that an object belongs to. */
export const terminalLabel = "butler.butlerlabs.dev/terminal";

const kubeconfigFolder = "/run/butler";

/** Name of everything that belongs to a terminal, here and in the tenant. */
export function terminalName(id: string): string {
  return `butler-terminal-${id}`;
}

/** Image and command of a terminal. */
export interface TerminalImage {
  /** An image with a shell, `sleep` and kubectl in it. */
  readonly image: string;
  /** The command to start; defaults to `/bin/sh`. */
  readonly command?: readonly string[];
}

function metadataOf(id: string): ObjectMeta {
  const own = { [labels.managedBy]: managedByButler, [terminalLabel]: id };
  return { name: terminalName(id), namespace: terminalNamespace, labels: own };
}

/** The ServiceAccount in the tenant, and its binding. */
export function tenantAccess(id: string, { email, role }: Pick<TerminalRecord, "email" | "role">): DynamicObject[] {
  const { name, labels: own } = metadataOf(id);
  const annotations = { "butler.butlerlabs.dev/email": email };
  const group = "rbac.authorization.k8s.io";
  return [
    {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name, namespace: tenantAccountNamespace, labels: own, annotations },
      automountServiceAccountToken: false,
    },
    {
      apiVersion: `${group}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name, labels: own, annotations },
      roleRef: { apiGroup: group, kind: "ClusterRole", name: role },
      subjects: [{ kind: "ServiceAccount", name, namespace: tenantAccountNamespace }],
    },
  ];
}

/** The kubeconfig in a terminal: the tenant's address, and the token of the user. */
export function kubeconfigSecret(id: string, tenant: KubeConfig, token: string): DynamicObject {
  const { server = "", caData = "", tlsServerName } = tenant.getCurrentCluster() ?? {};
  const cluster = {
    server,
    "certificate-authority-data": caData,
    ...(tlsServerName === undefined ? {} : { "tls-server-name": tlsServerName }),
  };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "tenant", cluster }],
    users: [{ name: "you", user: { token } }],
    contexts: [{ name: "tenant", context: { cluster: "tenant", user: "you" } }],
    "current-context": "tenant",
  };
  const data = { kubeconfig: Buffer.from(JSON.stringify(config)).toString("base64") };
  return { apiVersion: "v1", kind: "Secret", metadata: metadataOf(id), type: "Opaque", immutable: true, data };
}

/** The pod: no ServiceAccount, no privileges, writable memory volumes only, and a deadline. */
export function terminalPod(id: string, { image }: TerminalImage): DynamicObject {
  const none = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, readOnlyRootFilesystem: true };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadataOf(id),
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      activeDeadlineSeconds: terminalTimes.lifeSeconds + 60,
      terminationGracePeriodSeconds: 0,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        fsGroup: 65532,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          name: "terminal",
          image,
          command: ["sleep", String(terminalTimes.lifeSeconds)],
          env: [
            { name: "KUBECONFIG", value: `${kubeconfigFolder}/kubeconfig` },
            { name: "HOME", value: "/home/terminal" },
            { name: "TERM", value: "xterm-256color" },
          ],
          workingDir: "/home/terminal",
          resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "1", memory: "512Mi" } },
          securityContext: none,
          volumeMounts: [
            { name: "kubeconfig", mountPath: kubeconfigFolder, readOnly: true },
            { name: "home", mountPath: "/home/terminal" },
            { name: "scratch", mountPath: "/tmp" },
          ],
        },
      ],
      volumes: [
        { name: "kubeconfig", secret: { secretName: terminalName(id), defaultMode: 0o440 } },
        { name: "home", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
        { name: "scratch", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
      ],
    },
  };
}

/** No ingress to a terminal, and egress only to its tenant's API server, plus DNS if the server has a host name. */
export function terminalPolicy(id: string, tenant: KubeConfig): DynamicObject {
  const { hostname, port } = new URL(tenant.getCurrentCluster()?.server ?? "https://0.0.0.0");
  const address = parseIpAddress(hostname.replace(/^\[|\]$/g, ""));
  const ports = [{ protocol: "TCP", port: Number(port || 443) }];
  const dns = { ports: ["UDP", "TCP"].map((protocol) => ({ protocol, port: 53 })) };
  const blocks = address && [{ ipBlock: { cidr: `${formatIpAddress(address)}/${address.family === 6 ? 128 : 32}` } }];
  const egress = blocks === undefined ? [{ ports }, dns] : [{ ports, to: blocks }];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: metadataOf(id),
    spec: {
      podSelector: { matchLabels: { [terminalLabel]: id } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [],
      egress,
    },
  };
}
