/** What a pod hands to the node image: a directory with the files below, read by the image's entry program. */

/** Where the files are mounted. */
export const machineDirectory = "/etc/butler/bootstrap";

/** The shell script that makes a node of the machine; it ends with 0 when the machine is one. */
export const bootstrapScriptFile = "bootstrap.sh";

/** Shell text that sets KUBELET_EXTRA_ARGS: flags that come after all others. */
export const kubeletEnvFile = "kubelet.env";

/** Directories whose contents must outlive the container, for it loses its own layer when it is restarted. */
export const lastingDirectories = [
  "/var/lib/containerd",
  "/var/lib/kubelet",
  "/var/lib/cni",
  "/etc/cni/net.d",
  "/etc/kubernetes",
  "/run",
  "/var/log",
] as const;
