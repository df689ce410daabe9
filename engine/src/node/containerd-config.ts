/** Inputs of containerd's configuration. */
export interface ContainerdSettings {
  readonly root: string;
  readonly state: string;
  readonly socket: string;
  readonly cniBinDirectory: string;
  readonly cniConfDirectory: string;
  readonly runc: string;
  readonly sandboxImage: string;
  /** Whether the kernel allows this process to lower oom_score_adj; otherwise every sandbox would fail. */
  readonly mayLowerOomScore: boolean;
  readonly registryConfigDirectory: string;
}

/** containerd's configuration (version 3, for containerd 2). */
export function renderContainerdConfig(settings: ContainerdSettings): string {
  const text = (value: string): string => JSON.stringify(value);
  return `version = 3
root = ${text(settings.root)}
state = ${text(settings.state)}
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.tracing.processor.v1.otlp"]

[grpc]
  address = ${text(settings.socket)}

[ttrpc]
  address = ${text(`${settings.socket}.ttrpc`)}

[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = ${text(settings.sandboxImage)}

[plugins."io.containerd.cri.v1.images".registry]
  config_path = ${text(settings.registryConfigDirectory)}

[plugins."io.containerd.cri.v1.runtime"]
  restrict_oom_score_adj = ${!settings.mayLowerOomScore}
  # Else pods' network namespaces would be mounted outside of the engine's own directory.
  netns_mounts_under_state_dir = true

[plugins."io.containerd.cri.v1.runtime".cni]
  bin_dirs = [${text(settings.cniBinDirectory)}]
  conf_dir = ${text(settings.cniConfDirectory)}

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
  BinaryName = ${text(settings.runc)}
  SystemdCgroup = false
`;
}
