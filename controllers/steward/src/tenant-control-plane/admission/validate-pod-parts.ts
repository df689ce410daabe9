import type { TenantControlPlane } from "@butler/api";
import type { Denial } from "@butler/kube";
import type { ObjectMeta } from "@butler/resource";
import { isRecord } from "@butler/std";
import { componentNames } from "../names.ts";
import { ownDirectories, ownVolumeNames } from "../render/files.ts";
import { isSecretOfSteward, secretIds, secretName } from "../secrets/secret-names.ts";
import { denial, type Located, rightsDenials, volumeDenials } from "./validate-pod-rights.ts";

/** Container names reserved for Steward, now or with an add-on. */
const ownContainerNames: readonly string[] = [...componentNames, "kine", "konnectivity-server", "steward-trustd"];

const base = "spec.controlPlane.deployment";

/**
 * Validates the containers, volumes and mounts that users add. They are identified by name, so none may use a reserved
 * one; and they run with Steward's permissions, so none may access its node.
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
    ...volumes.flatMap(volumeDenials),
    ...mounts.flatMap(mountDenials),
    ...[...containers, ...volumes].flatMap((part) => foreignSecretDenials(metadata, part)),
  ];
}

/** The keys of another control plane in the same namespace are off limits. */
function foreignSecretDenials(controlPlane: ObjectMeta, { path, part }: Located): Denial[] {
  const own = new Set(secretIds.map((id) => secretName(controlPlane, id)));
  const foreign = secretsIn(part).find((name) => !own.has(name) && isSecretOfSteward(name));
  return denial(
    path,
    foreign !== undefined,
    `references Secret ${foreign ?? ""}, which belongs to another control plane`,
  );
}

/** The names of all Secrets that a container or volume references, at any depth. */
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

function located(path: string, list: readonly unknown[] = []): Located[] {
  return list.map((part, at) => ({ path: `${path}[${at}]`, part: isRecord(part) ? part : {} }));
}

function nameDenials(parts: readonly Located[], taken: readonly string[]): Denial[] {
  const seen = new Set<unknown>();
  return parts.flatMap(({ path, part }) => {
    const { name } = part;
    const isTwice = seen.has(name);
    seen.add(name);
    const isMissing = typeof name !== "string" || name === "";
    return [
      ...denial(`${path}.name`, isMissing, "is required"),
      ...denial(
        `${path}.name`,
        taken.includes(String(name)),
        `${JSON.stringify(name)} is reserved for Steward; choose another name`,
      ),
      ...denial(`${path}.name`, isTwice && !isMissing, `${JSON.stringify(name)} is a duplicate; choose another name`),
    ];
  });
}

function mountDenials({ path, part }: Located): Denial[] {
  const { name, mountPath } = part;
  const place = `${String(mountPath).replace(/\/+$/, "")}/`;
  const meets = ownDirectories.some((own) => place.startsWith(`${own}/`) || `${own}/`.startsWith(place));
  return [
    ...denial(
      `${path}.name`,
      ownVolumeNames.includes(String(name)),
      `${JSON.stringify(name)} is a volume reserved for Steward`,
    ),
    ...denial(
      `${path}.mountPath`,
      meets,
      `${JSON.stringify(mountPath)} overlaps a directory used by Steward; choose another path`,
    ),
  ];
}
