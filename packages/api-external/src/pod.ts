import { builtinKinds, type KubeObject } from "@butler/resource";

/** Kubernetes pods. */
export const { Pod } = builtinKinds;

/** A probe command that the kubelet runs in a container. */
export interface ExecProbe {
  exec: { command: string[] };
  periodSeconds?: number | undefined;
  timeoutSeconds?: number | undefined;
  failureThreshold?: number | undefined;
}

/** The rights of a container. */
export interface ContainerSecurity {
  privileged?: boolean | undefined;
  capabilities?: { add?: string[] | undefined; drop?: string[] | undefined } | undefined;
  appArmorProfile?: { type: string } | undefined;
  seccompProfile?: { type: string } | undefined;
}

/** One container of a pod. */
export interface Container {
  name: string;
  image: string;
  imagePullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;
  command?: string[] | undefined;
  args?: string[] | undefined;
  env?: { name: string; value: string }[] | undefined;
  securityContext?: ContainerSecurity | undefined;
  resources?:
    { requests?: Record<string, string> | undefined; limits?: Record<string, string> | undefined } | undefined;
  startupProbe?: ExecProbe | undefined;
  readinessProbe?: ExecProbe | undefined;
  terminationMessagePolicy?: "File" | "FallbackToLogsOnError" | undefined;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean | undefined }[] | undefined;
}

/** Files that a pod's containers share. */
export interface Volume {
  name: string;
  emptyDir?: { medium?: string | undefined; sizeLimit?: string | undefined } | undefined;
  secret?: { secretName: string; defaultMode?: number | undefined; optional?: boolean | undefined } | undefined;
}

/** A toleration of a pod. */
export interface Toleration {
  key?: string | undefined;
  operator?: string | undefined;
  value?: string | undefined;
  effect?: string | undefined;
  tolerationSeconds?: number | undefined;
}

/** A condition of a pod. Unlike other conditions, it may have no reason and message. */
export interface PodCondition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason?: string | undefined;
  message?: string | undefined;
  lastTransitionTime?: string | undefined;
}

/** Termination state of a container. */
export interface TerminatedContainer {
  exitCode: number;
  signal?: number | undefined;
  reason?: string | undefined;
  message?: string | undefined;
  startedAt?: string | undefined;
  finishedAt?: string | undefined;
}

/** State of a container: one of the three is set. */
export interface ContainerState {
  waiting?: { reason?: string | undefined; message?: string | undefined } | undefined;
  running?: { startedAt?: string | undefined } | undefined;
  terminated?: TerminatedContainer | undefined;
}

/** Status of a container of a pod. */
export interface ContainerStatus {
  name: string;
  ready: boolean;
  started?: boolean | undefined;
  restartCount: number;
  image?: string | undefined;
  imageID?: string | undefined;
  state?: ContainerState | undefined;
  lastState?: ContainerState | undefined;
}

/** The fields of a pod that Butler reads or writes. */
export interface Pod extends KubeObject {
  spec: {
    containers: Container[];
    volumes?: Volume[] | undefined;
    nodeName?: string | undefined;
    nodeSelector?: Record<string, string> | undefined;
    tolerations?: Toleration[] | undefined;
    hostname?: string | undefined;
    restartPolicy?: "Always" | "OnFailure" | "Never" | undefined;
    dnsPolicy?: "Default" | "ClusterFirst" | "ClusterFirstWithHostNet" | "None" | undefined;
    automountServiceAccountToken?: boolean | undefined;
    enableServiceLinks?: boolean | undefined;
    terminationGracePeriodSeconds?: number | undefined;
  };
  status?:
    | {
        phase?: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown" | undefined;
        reason?: string | undefined;
        message?: string | undefined;
        podIP?: string | undefined;
        podIPs?: { ip: string }[] | undefined;
        hostIP?: string | undefined;
        conditions?: PodCondition[] | undefined;
        initContainerStatuses?: ContainerStatus[] | undefined;
        containerStatuses?: ContainerStatus[] | undefined;
      }
    | undefined;
}
