import type { LocalMachine } from "@butler/api";
import { bootstrapSentinelPath, clusterNameLabel, Pod } from "@butler/api-external";
import { apiVersionOf, builtinKinds, type KubeObject, type ObjectMeta } from "@butler/resource";
import { kubeletEnv } from "./kubelet-env.ts";
import { bootstrapScriptFile, kubeletEnvFile, lastingDirectories, machineDirectory } from "./node-contract.ts";

/** The only container of a machine's pod. */
export const nodeContainer = "node";

/** The name of the Secret with the bootstrap files of a machine's pod. */
export function machineSecretName({ metadata }: LocalMachine): string {
  return `${metadata.name}-local-bootstrap`;
}

/** The provider ID of a machine, which its Node has, too. */
export function providerIdOf({ metadata, spec }: LocalMachine): string {
  return spec.providerID ?? `local:////${metadata.name}`;
}

/** The machine of an object, and the Cluster it belongs to. */
interface MachinePart {
  readonly localMachine: LocalMachine;
  readonly clusterName: string;
}

/** The Secret with the bootstrap script and the kubelet's flags. */
export function buildMachineSecret({ script, ...part }: MachinePart & { readonly script: string }): KubeObject {
  const { localMachine } = part;
  const { cpu, memory } = localMachine.spec;
  const files = {
    [bootstrapScriptFile]: script,
    [kubeletEnvFile]: kubeletEnv({ providerID: providerIdOf(localMachine), cpu, memory }),
  };
  const encoded = Object.entries(files).map(([name, text]) => [name, Buffer.from(text).toString("base64")]);
  return {
    apiVersion: apiVersionOf(builtinKinds.Secret),
    kind: builtinKinds.Secret.kind,
    metadata: metadataOf(machineSecretName(localMachine), part),
    type: "Opaque",
    data: Object.fromEntries(encoded),
  } as KubeObject;
}

export interface MachinePodInput extends MachinePart {
  readonly image: string;
  readonly hostname: string;
}

/**
 * The capabilities of a machine: those that containers have by default, which its own pods get in turn, and the three
 * that a node needs. None loads kernel modules, reboots, sets the clock or opens files of the host by their handles.
 */
const defaultCapabilities = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "NET_RAW",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
];
// Pod networks and packet filters; mounts, namespaces and cgroups of pods; processes of other users.
const nodeCapabilities = ["NET_ADMIN", "SYS_ADMIN", "SYS_PTRACE"];

/**
 * Not privileged, so that devices of the host, such as its disks, are neither visible nor accessible. The profiles of
 * AppArmor and seccomp would deny the mounts of a container runtime.
 */
const machineSecurity = {
  privileged: false,
  capabilities: { drop: ["ALL"], add: [...defaultCapabilities, ...nodeCapabilities] },
  appArmorProfile: { type: "Unconfined" },
  seccompProfile: { type: "Unconfined" },
};

/** The pod of a machine: it shares only the kernel with its host. */
export function buildMachinePod({ image, hostname, ...part }: MachinePodInput): Pod {
  const { localMachine } = part;
  const { cpu, memory, reservedCpu = cpu, nodeSelector, tolerations } = localMachine.spec;
  const size = { cpu: String(cpu), memory: String(memory) };
  const lasting = lastingDirectories.map((mountPath) => ({ name: volumeName(mountPath), mountPath }));
  return {
    apiVersion: apiVersionOf(Pod),
    kind: Pod.kind,
    metadata: metadataOf(localMachine.metadata.name, part),
    spec: {
      hostname,
      restartPolicy: "Always",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // The host's own resolver: the tenant's DNS forwards names outside of the cluster to it.
      dnsPolicy: "Default",
      // The node is drained before; the remaining processes need no grace period.
      terminationGracePeriodSeconds: 5,
      ...(nodeSelector === undefined ? {} : { nodeSelector }),
      ...(tolerations === undefined ? {} : { tolerations }),
      containers: [
        {
          name: nodeContainer,
          image,
          imagePullPolicy: "IfNotPresent",
          securityContext: machineSecurity,
          resources: { requests: { ...size, cpu: String(reservedCpu) }, limits: size },
          // Probed until the node has joined and never again, so that an idle machine uses no resources for it.
          startupProbe: {
            exec: { command: ["/bin/sh", "-c", `[ -e ${bootstrapSentinelPath} ]`] },
            periodSeconds: 2,
            timeoutSeconds: 5,
            failureThreshold: 1_800,
          },
          terminationMessagePolicy: "FallbackToLogsOnError",
          volumeMounts: [...lasting, { name: "machine", mountPath: machineDirectory, readOnly: true }],
        },
      ],
      volumes: [
        ...lasting.map(({ name }) => ({ name, emptyDir: {} })),
        { name: "machine", secret: { secretName: machineSecretName(localMachine), defaultMode: 0o400 } },
      ],
    },
  };
}

function volumeName(path: string): string {
  return path.slice(1).replaceAll(/[/.]/g, "-");
}

function metadataOf(name: string, { localMachine, clusterName }: MachinePart): ObjectMeta {
  const labels = {
    "app.kubernetes.io/managed-by": "butler",
    "app.kubernetes.io/component": "local-machine",
    [clusterNameLabel]: clusterName,
  };
  return { name, namespace: localMachine.metadata.namespace, labels };
}
