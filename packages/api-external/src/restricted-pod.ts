/** What Kubernetes' level `restricted` asks of a pod whose processes are one user and own nothing. */
export function restrictedPod(userId: number) {
  return {
    runAsNonRoot: true,
    runAsUser: userId,
    runAsGroup: userId,
    seccompProfile: { type: "RuntimeDefault" },
  };
}

/** What the same level asks of a container; besides, nothing is written outside of its volumes. */
export function restrictedContainer() {
  return {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  };
}
