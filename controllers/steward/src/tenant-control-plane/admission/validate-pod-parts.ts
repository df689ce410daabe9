import type { TenantControlPlane } from "@butler/api";
import type { Denial } from "@butler/kube";
import type { ObjectMeta } from "@butler/resource";
import { isRecord } from "@butler/std";
import { componentNames } from "../names.ts";
import { ownDirectories, ownVolumeNames } from "../render/files.ts";
import { isSecretOfSteward, secretIds, secretName } from "../secrets/secret-names.ts";

/** Names of containers that are Steward's, now or with an add-on. */
const ownContainerNames: readonly string[] = [...componentNames, "kine", "konnectivity-server", "steward-trustd"];

/** The only right that a container may be given beyond those of every program. */
const allowedCapability = "NET_BIND_SERVICE";

const base = "spec.controlPlane.deployment";

/**
 * Everything that is wrong with containers, volumes and mounts that users add. They are told apart by name, so none may
 * have one of Steward's; and they run with Steward's leave, so none may reach for the node that it runs on.
 */
export function podPartDenials({ metadata, spec }: TenantControlPlane): Denial[] {
  const {
    additionalInitContainers,
    additionalContainers,
    additionalVolumes,
    additionalVolumeMounts = {},
  } = spec.controlPlane.deployment;
  const containers = [
    ...located(`${base}.additionalInitContainers`, additionalInitContainers),
    ...located(`${base}.additionalContainers`, additionalContainers),
  ];
  const volumes = located(`${base}.additionalVolumes`, additionalVolumes);
  const mounts = Object.entries(additionalVolumeMounts).flatMap(([program, list]) =>
    located(`${base}.additionalVolumeMounts.${program}`, list),
  );
  return [
    ...nameDenials(containers, ownContainerNames),
    ...containers.flatMap(rightsDenials),
    ...nameDenials(volumes, ownVolumeNames),
    ...volumes.flatMap(({ path, part }) =>
      denial(
        `${path}.hostPath`,
        part["hostPath"] !== undefined,
        "is a folder of the node, which no control plane may use",
      ),
    ),
    ...mounts.flatMap(mountDenials),
    ...[...containers, ...volumes].flatMap((part) => foreignSecretDenials(metadata, part)),
  ];
}

/** The keys of another control plane in the same namespace are none of this one's business. */
function foreignSecretDenials(controlPlane: ObjectMeta, { path, part }: Located): Denial[] {
  const own = new Set(secretIds.map((id) => secretName(controlPlane, id)));
  const foreign = secretsIn(part).find((name) => !own.has(name) && isSecretOfSteward(name));
  return denial(path, foreign !== undefined, `names Secret ${foreign ?? ""}, which belongs to another control plane`);
}

/** The names of all Secrets that a container or volume speaks of, however deep. */
function secretsIn(value: unknown): string[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap(secretsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "secretName" && typeof inner === "string") return [inner];
    const isReference = ["secret", "secretRef", "secretKeyRef"].includes(key) && isRecord(inner);
    const name = isReference ? inner["name"] : undefined;
    return [...(typeof name === "string" ? [name] : []), ...secretsIn(inner)];
  });
}

interface Located {
  readonly path: string;
  readonly part: Readonly<Record<string, unknown>>;
}

function located(path: string, list: readonly unknown[] = []): Located[] {
  return list.map((part, at) => ({ path: `${path}[${at}]`, part: isRecord(part) ? part : {} }));
}

function denial(path: string, isWrong: boolean, message: string): Denial[] {
  return isWrong ? [{ path, message }] : [];
}

function nameDenials(parts: readonly Located[], taken: readonly string[]): Denial[] {
  const seen = new Set<unknown>();
  return parts.flatMap(({ path, part }) => {
    const { name } = part;
    const isTwice = seen.has(name);
    seen.add(name);
    const isMissing = typeof name !== "string" || name === "";
    return [
      ...denial(`${path}.name`, isMissing, "is needed"),
      ...denial(
        `${path}.name`,
        taken.includes(String(name)),
        `${JSON.stringify(name)} is Steward's own; choose another`,
      ),
      ...denial(`${path}.name`, isTwice && !isMissing, `${JSON.stringify(name)} occurs twice; choose another`),
    ];
  });
}

function rightsDenials({ path, part }: Located): Denial[] {
  const security = isRecord(part["securityContext"]) ? part["securityContext"] : {};
  const capabilities = isRecord(security["capabilities"]) ? security["capabilities"]["add"] : undefined;
  const added = Array.isArray(capabilities) ? (capabilities as unknown[]) : [];
  const ports = Array.isArray(part["ports"]) ? (part["ports"] as unknown[]) : [];
  const hasHostPort = ports.some((port) => isRecord(port) && port["hostPort"] !== undefined);
  const context = `${path}.securityContext`;
  return [
    ...denial(`${context}.privileged`, security["privileged"] === true, "would give the container its whole node"),
    ...denial(
      `${context}.capabilities.add`,
      added.some((name) => name !== allowedCapability),
      `may only hold ${allowedCapability}`,
    ),
    ...denial(`${path}.ports`, hasHostPort, "must not have a hostPort; use controlPlane.service.additionalPorts"),
  ];
}

function mountDenials({ path, part }: Located): Denial[] {
  const { name, mountPath } = part;
  const place = `${String(mountPath).replace(/\/+$/, "")}/`;
  const meets = ownDirectories.some((own) => place.startsWith(`${own}/`) || `${own}/`.startsWith(place));
  return [
    ...denial(`${path}.name`, ownVolumeNames.includes(String(name)), `${JSON.stringify(name)} is Steward's own volume`),
    ...denial(`${path}.mountPath`, meets, `${JSON.stringify(mountPath)} meets a folder of Steward's; choose another`),
  ];
}
