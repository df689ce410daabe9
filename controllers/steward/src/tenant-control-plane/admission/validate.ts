import { parseKubernetesVersion, type TenantControlPlane, upgradeFaultFrom, versionFault } from "@butler/api";
import type { Denial } from "@butler/kube";
import { describeError, parseDurationMs } from "@butler/std";
import { validateExposure } from "../../exposure/index.ts";
import { argumentFault } from "../render/protected-flags.ts";
import { statedTenantObjects } from "../stated-tenant-objects.ts";
import { podPartDenials } from "./validate-pod-parts.ts";

/** With a shorter lifetime, certificates would be renewed faster than pods can roll. */
const shortestLifeMs = 60_000;

/** Removed admission plug-ins, each with the first minor version without it, and those added later. */
const goneSince: Readonly<Record<string, number>> = {
  DenyEscalatingExec: 21,
  DenyExecOnPrivileged: 21,
  PodSecurityPolicy: 25,
  SecurityContextDeny: 30,
  PersistentVolumeLabel: 31,
};
const knownSince: Readonly<Record<string, number>> = { MutatingAdmissionPolicy: 32 };

/** Validates a control plane without regard to others. The controller calls this too, before it acts. */
export function validateSpec(tcp: TenantControlPlane): Denial[] {
  return [
    ...under("spec.kubernetes.version", versionFault(tcp.spec.kubernetes.version)),
    ...pluginDenials(tcp),
    ...lifetimeDenials(tcp),
    ...argumentDenials(tcp),
    ...podPartDenials(tcp),
    ...validateExposure(tcp).map(asDenial),
    ...insideDenials(tcp),
  ];
}

/** Validates an update. */
export function validateChange(before: TenantControlPlane, after: TenantControlPlane): Denial[] {
  const [old, wanted] = [before.spec, after.spec];
  const installed = before.status?.kubernetesResources?.version?.version;
  return [
    ...under("spec.kubernetes.version", versionChangeFault(before, after, installed)),
    ...under("spec.dataStore", dataStoreFault(old.dataStore, wanted.dataStore)),
    ...under(
      "spec.networkProfile.serviceCidr",
      fixedFault(old.networkProfile.serviceCidr, wanted.networkProfile.serviceCidr),
    ),
    ...under("spec.networkProfile.podCidr", fixedFault(old.networkProfile.podCidr, wanted.networkProfile.podCidr)),
  ];
}

/** Names in the store are derived by Steward: a user-chosen name could be another tenant's. */
export function identityDenials(
  { spec }: TenantControlPlane,
  derived: { readonly schema: string; readonly user: string } | undefined,
): Denial[] {
  const fault = (given: string | undefined, own: string | undefined): string | undefined => {
    if (given === undefined || given === own) return undefined;
    const only = own === undefined ? "" : `; the only valid value is ${JSON.stringify(own)}`;
    return `is derived from the control plane's UID and cannot be set${only}. Omit the field`;
  };
  return [
    ...under("spec.dataStoreSchema", fault(spec.dataStoreSchema, derived?.schema)),
    ...under("spec.dataStoreUsername", fault(spec.dataStoreUsername, derived?.user)),
  ];
}

function versionChangeFault(
  before: TenantControlPlane,
  { spec }: TenantControlPlane,
  installed: string | undefined,
): string | undefined {
  const { version } = spec.kubernetes;
  if (version === before.spec.kubernetes.version) return undefined;
  // An upgrade in progress is checked against its start version: the previous one may not have completed.
  return upgradeFaultFrom([before.spec.kubernetes.version, installed], version);
}

function dataStoreFault(before: string | undefined, after: string | undefined): string | undefined {
  if (before === undefined || before === after) return undefined;
  return `is immutable (${JSON.stringify(before)}): Steward cannot move data between DataStores yet`;
}

function fixedFault(before: string, after: string): string | undefined {
  return before === after ? undefined : `is immutable (${before}): its addresses are in use`;
}

function pluginDenials({ spec }: TenantControlPlane): Denial[] {
  const { minor = 0, text = "" } = parseKubernetesVersion(spec.kubernetes.version) ?? {};
  return spec.kubernetes.admissionControllers.flatMap((plugin, at) => {
    const isGone = minor >= (goneSince[plugin] ?? Number.POSITIVE_INFINITY);
    const isKnown = minor >= (knownSince[plugin] ?? 0) && !isGone;
    const fault = isKnown ? undefined : `${plugin} is not available in Kubernetes ${text}; remove it`;
    return under(`spec.kubernetes.admissionControllers[${at}]`, fault);
  });
}

function lifetimeDenials({ spec: { certificates } }: TenantControlPlane): Denial[] {
  const [lifeMs, authorityLifeMs] = [certificates.lifetime, certificates.authorityLifetime].map(parseDurationMs);
  const isShort = (lifeMs ?? 0) < shortestLifeMs;
  const isOutlived = (authorityLifeMs ?? 0) < (lifeMs ?? 0);
  return [
    ...under("spec.certificates.lifetime", isShort ? "must be at least 1m" : undefined),
    ...under(
      "spec.certificates.authorityLifetime",
      isOutlived ? "must not be shorter than certificates.lifetime: a certificate cannot outlive its CA" : undefined,
    ),
  ];
}

function argumentDenials({ spec }: TenantControlPlane): Denial[] {
  const { apiServer = [], controllerManager = [], scheduler = [] } = spec.controlPlane.deployment.extraArgs ?? {};
  const programs = [
    ["apiServer", "kube-apiserver", apiServer],
    ["controllerManager", "kube-controller-manager", controllerManager],
    ["scheduler", "kube-scheduler", scheduler],
  ] as const;
  return programs.flatMap(([field, component, given]) =>
    given.flatMap((argument, at) =>
      under(`spec.controlPlane.deployment.extraArgs.${field}[${at}]`, argumentFault(component, argument)),
    ),
  );
}

/** What cannot be rendered inside the tenant, such as invalid kubelet settings. */
function insideDenials(tcp: TenantControlPlane): Denial[] {
  if (versionFault(tcp.spec.kubernetes.version) !== undefined) return [];
  try {
    statedTenantObjects(tcp, { endpoint: { host: "tenant.invalid", port: tcp.spec.networkProfile.port }, caPem: "" });
    return [];
  } catch (error) {
    return [{ path: "spec", message: describeError(error) }];
  }
}

function under(path: string, fault: string | undefined): Denial[] {
  return fault === undefined ? [] : [{ path, message: fault }];
}

/** Messages about exposure start with the field path. */
function asDenial(sentence: string): Denial {
  const space = sentence.indexOf(" ");
  return { path: sentence.slice(0, space), message: sentence.slice(space + 1) };
}
