import { parseKubernetesVersion, type TenantControlPlane } from "@butler/api";
import type { Deployment, DeploymentCounts } from "./kinds.ts";

type VersionStatus = NonNullable<
  NonNullable<NonNullable<TenantControlPlane["status"]>["kubernetesResources"]>["version"]
>;

/** The lifecycle phase of a control plane. */
export type Phase = VersionStatus["status"];

/** The rollout state of the pods. */
export interface Rollout {
  /** Whether at least one pod is ready. */
  readonly isAvailable: boolean;
  /** Whether all pods are updated and ready. */
  readonly isComplete: boolean;
  readonly phase: Phase;
  /** The running version; undefined until the first rollout completes. */
  readonly installedVersion: string | undefined;
}

/** The annotation of the Deployment with the last applied revision. */
export const revisionAnnotation = "steward.butlerlabs.dev/revision";

export interface RolloutInput {
  readonly tcp: TenantControlPlane;
  readonly deployment: Deployment | undefined;
  /** The desired revision; undefined while it cannot be determined. */
  readonly revision: string | undefined;
  /** The digest of the CA that the pods should use. */
  readonly authorityDigest: string | undefined;
}

/** Reads the rollout state. */
export function readRollout({ tcp, deployment, revision, authorityDigest }: RolloutInput): Rollout {
  const { replicas } = tcp.spec.controlPlane.deployment;
  const { version: before } = versionStatusOf(tcp);
  const wanted = parseKubernetesVersion(tcp.spec.kubernetes.version)?.text;
  const isAvailable = replicas > 0 && readyReplicasOf(deployment) > 0;
  const isComplete = isApplied(deployment, revision) && isRolledOut(deployment, replicas);
  const phase = phaseOf(tcp, {
    isAvailable,
    isComplete,
    isUpgrading: before !== wanted,
    isRotating: isRotatingAuthority(tcp, authorityDigest, isComplete),
  });
  return { isAvailable, isComplete, phase, installedVersion: isComplete ? wanted : before };
}

function versionStatusOf({ status }: TenantControlPlane): Partial<VersionStatus> {
  return status?.kubernetesResources?.version ?? {};
}

function readyReplicasOf(deployment: Deployment | undefined): number {
  return deployment?.status?.readyReplicas ?? 0;
}

function isApplied(deployment: Deployment | undefined, revision: string | undefined): deployment is Deployment {
  return revision !== undefined && deployment?.metadata.annotations?.[revisionAnnotation] === revision;
}

function isRolledOut({ metadata, status = {} }: Deployment, replicas: number): boolean {
  if (status.observedGeneration !== metadata.generation) return false;
  const counts: readonly (keyof DeploymentCounts)[] = [
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
  ];
  return counts.every((count) => (status[count] ?? 0) === replicas);
}

interface PhaseFacts {
  readonly isAvailable: boolean;
  readonly isComplete: boolean;
  readonly isUpgrading: boolean;
  readonly isRotating: boolean;
}

function phaseOf(tcp: TenantControlPlane, { isAvailable, isComplete, isUpgrading, isRotating }: PhaseFacts): Phase {
  const wasInstalled = versionStatusOf(tcp).version !== undefined;
  if (tcp.spec.controlPlane.deployment.replicas === 0) return "Sleeping";
  if (!wasInstalled && !isComplete) return "Provisioning";
  if (isRotating) return "CertificateAuthorityRotating";
  if (isUpgrading && !isComplete) return "Upgrading";
  if (!isAvailable) return "NotReady";
  return Object.values(tcp.spec.writePermissions).includes(true) ? "WriteLimited" : "Ready";
}

/** From the change of the CA until all pods use it. */
function isRotatingAuthority(
  tcp: TenantControlPlane,
  authorityDigest: string | undefined,
  isComplete: boolean,
): boolean {
  const told = tcp.status?.certificates?.ca?.checksum;
  const isNew = told !== undefined && authorityDigest !== undefined && told !== authorityDigest;
  const isUnderWay = versionStatusOf(tcp).status === "CertificateAuthorityRotating";
  return (isNew || isUnderWay) && !isComplete;
}
