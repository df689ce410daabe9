/** Pod security context for the `restricted` Pod Security level, with a single unprivileged user. */
export function restrictedPod(userId: number) {
  return {
    runAsNonRoot: true,
    runAsUser: userId,
    runAsGroup: userId,
    seccompProfile: { type: "RuntimeDefault" },
  };
}

/** Container security context for the same level, with a read-only root filesystem. */
export function restrictedContainer() {
  return {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  };
}
