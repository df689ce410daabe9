import type { Denial } from "@butler/kube";
import { isRecord } from "@butler/std";

/** A container or volume that users add, with the path of its field. */
export interface Located {
  readonly path: string;
  readonly part: Readonly<Record<string, unknown>>;
}

/** The only capability that a container may add. */
const allowedCapability = "NET_BIND_SERVICE";

/** SELinux types of unprivileged containers, as in the Pod Security Standards. */
const containerTypes = ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"];

/** One denial if a part is wrong, otherwise none. */
export function denial(path: string, isWrong: boolean, message: string): Denial[] {
  return isWrong ? [{ path, message }] : [];
}

/**
 * What a container may do. It runs beside the API server, on a node of the management cluster, so it gets no rights that
 * the `restricted` Pod Security Standard would refuse. This applies to every writer: Steward's pods are not the place for
 * workloads of the platform, which can have a Deployment of their own.
 */
export function rightsDenials({ path, part }: Located): Denial[] {
  const security = recordAt(part, "securityContext");
  const capabilities = recordAt(security, "capabilities")["add"];
  const added = Array.isArray(capabilities) ? (capabilities as unknown[]) : [];
  const ports = Array.isArray(part["ports"]) ? (part["ports"] as unknown[]) : [];
  const hasHostPort = ports.some((port) => isRecord(port) && port["hostPort"] !== undefined);
  const context = `${path}.securityContext`;
  return [
    ...denial(
      `${context}.privileged`,
      security["privileged"] === true,
      "must not be true: a privileged container has full access to its node",
    ),
    ...denial(
      `${context}.allowPrivilegeEscalation`,
      security["allowPrivilegeEscalation"] === true,
      "must not be true: a process could gain more privileges than its container has",
    ),
    ...denial(
      `${context}.capabilities.add`,
      added.some((name) => name !== allowedCapability),
      `may only contain ${allowedCapability}`,
    ),
    ...userDenials(context, security),
    ...isolationDenials(context, security),
    ...denial(`${path}.ports`, hasHostPort, "must not set hostPort; use controlPlane.service.additionalPorts"),
  ];
}

function userDenials(context: string, security: Readonly<Record<string, unknown>>): Denial[] {
  const message = "must not be 0 (root); use an ID such as 65532 and an image that supports it";
  return [
    ...denial(`${context}.runAsUser`, security["runAsUser"] === 0, message),
    ...denial(`${context}.runAsGroup`, security["runAsGroup"] === 0, message),
    ...denial(
      `${context}.runAsNonRoot`,
      security["runAsNonRoot"] === false,
      `must not be false: the user ID ${message}`,
    ),
  ];
}

function isolationDenials(context: string, security: Readonly<Record<string, unknown>>): Denial[] {
  const { procMount = "Default" } = security;
  const { type: linuxType = "", user = "", role = "" } = recordAt(security, "seLinuxOptions");
  const isOtherLabel = !containerTypes.includes(String(linuxType)) || user !== "" || role !== "";
  const unconfined = "must not be Unconfined; omit it to use the container runtime's default";
  return [
    ...denial(
      `${context}.seccompProfile.type`,
      recordAt(security, "seccompProfile")["type"] === "Unconfined",
      unconfined,
    ),
    ...denial(
      `${context}.appArmorProfile.type`,
      recordAt(security, "appArmorProfile")["type"] === "Unconfined",
      unconfined,
    ),
    ...denial(
      `${context}.procMount`,
      procMount !== "Default",
      "must be Default: an unmasked /proc exposes the node's kernel",
    ),
    ...denial(
      `${context}.seLinuxOptions`,
      isOtherLabel,
      "may only set type, and only to a type for unprivileged containers",
    ),
    ...denial(
      `${context}.windowsOptions.hostProcess`,
      recordAt(security, "windowsOptions")["hostProcess"] === true,
      "must not be true: a host process has full access to its node",
    ),
  ];
}

/** Volumes that give no access to a node and to no Secret by a detour. */
const volumeTypes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

/** Which volumes a control plane may have. */
export function volumeDenials({ path, part }: Located): Denial[] {
  const projected = recordAt(part, "projected")["sources"];
  const sources = Array.isArray(projected) ? (projected as unknown[]) : [];
  const others = Object.keys(part).filter((type) => !["name", "hostPath", ...volumeTypes].includes(type));
  return [
    ...denial(
      `${path}.hostPath`,
      part["hostPath"] !== undefined,
      "is not allowed: control planes cannot mount directories from the node",
    ),
    ...others.flatMap((type) =>
      denial(`${path}.${type}`, true, `is not allowed: use a volume of type ${volumeTypes.join(", ")}`),
    ),
    ...denial(
      `${path}.csi.nodePublishSecretRef`,
      recordAt(part, "csi")["nodePublishSecretRef"] !== undefined,
      "is not allowed: the driver would read the Secret regardless of its owner; use a PersistentVolumeClaim",
    ),
    ...sources.flatMap((source, at) =>
      denial(
        `${path}.projected.sources[${at}].serviceAccountToken`,
        isRecord(source) && source["serviceAccountToken"] !== undefined,
        "is not allowed: control planes have no access to the management cluster's API",
      ),
    ),
  ];
}

function recordAt(parent: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> {
  const value = parent[field];
  return isRecord(value) ? value : {};
}
