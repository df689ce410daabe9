import { InvalidInput, isRecord } from "@butler/std";
import { applyJsonPatches, type JsonPatch } from "./json-patch.ts";

/** Options of the kubelets that join a tenant. */
export interface KubeletOptions {
  /** By default `systemd`. */
  readonly cgroupDriver?: "systemd" | "cgroupfs" | undefined;
  /** Whether kubelets request their serving certificates from the cluster instead of self-signing them. */
  readonly serverTLSBootstrap?: boolean | undefined;
  /** Whether kubelets may start on machines with cgroup v1, which they reject by default since 1.35. */
  readonly allowsCgroupV1?: boolean | undefined;
  /** Patches of the tenant's owner, applied last. */
  readonly patches?: readonly JsonPatch[] | undefined;
}

export interface KubeletConfigurationInput extends KubeletOptions {
  readonly minor: number;
  readonly clusterDNS: readonly string[];
  readonly clusterDomain: string;
}

const apiVersion = "kubelet.config.k8s.io/v1beta1";
const kind = "KubeletConfiguration";

/** The minor version that introduced a field; others are older than all supported versions. */
const fieldsSince: Readonly<Record<string, number>> = {
  failCgroupV1: 31,
  memoryReservationPolicy: 36,
  tlsCurvePreferences: 36,
};

/**
 * The configuration that joining kubelets receive. It states only what differs from a kubelet's own defaults, so that
 * it holds no field, not even an empty one, that a kubelet of this minor or an older one would not know.
 */
export function buildKubeletConfiguration(input: KubeletConfigurationInput): Record<string, unknown> {
  const patched = applyJsonPatches(stated(input), input.patches ?? []);
  if (!isRecord(patched) || patched["apiVersion"] !== apiVersion || patched["kind"] !== kind) {
    throw new InvalidInput(`the patches change the apiVersion or kind of the ${kind}`, {
      hint: "Do not patch apiVersion or kind.",
    });
  }
  for (const field of Object.keys(patched)) refuseNewerField(field, input.minor);
  return patched;
}

function stated(input: KubeletConfigurationInput): Record<string, unknown> {
  return {
    apiVersion,
    kind,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: "/etc/kubernetes/pki/ca.crt" },
    },
    authorization: { mode: "Webhook" },
    cgroupDriver: input.cgroupDriver ?? "systemd",
    clusterDNS: [...input.clusterDNS],
    clusterDomain: input.clusterDomain,
    ...(input.allowsCgroupV1 === true && knows(input.minor, "failCgroupV1") ? { failCgroupV1: false } : {}),
    healthzBindAddress: "127.0.0.1",
    healthzPort: 10_248,
    rotateCertificates: true,
    ...(input.serverTLSBootstrap === true ? { serverTLSBootstrap: true } : {}),
    staticPodPath: "/etc/kubernetes/manifests",
  };
}

function knows(minor: number, field: string): boolean {
  return (fieldsSince[field] ?? 0) <= minor;
}

function refuseNewerField(field: string, minor: number): void {
  if (knows(minor, field)) return;
  throw new InvalidInput(`kubelet 1.${minor} does not support the field ${field}`, {
    hint: `Remove the patch for /${field}, or use Kubernetes 1.${fieldsSince[field]} or newer.`,
  });
}
