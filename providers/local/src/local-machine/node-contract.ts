/** The interface to the node image: a directory with the files below, read by the image's entrypoint. */

/** Where the files are mounted. */
export const machineDirectory = "/etc/butler/bootstrap";

/** The shell script that joins the machine as a node; it exits with 0 when the machine has joined. */
export const bootstrapScriptFile = "bootstrap.sh";

/** Shell text that sets KUBELET_EXTRA_ARGS: flags that follow all others. */
export const kubeletEnvFile = "kubelet.env";

/** Directories that must persist across container restarts, because the container's own layer does not. */
export const lastingDirectories = [
  "/var/lib/containerd",
  "/var/lib/kubelet",
  "/var/lib/cni",
  "/etc/cni/net.d",
  "/etc/kubernetes",
  "/run",
  "/var/log",
] as const;
