import { fileURLToPath } from "node:url";
import { searchPath } from "./engine-images.ts";
import { archiveFileName } from "./image-name.ts";
import type { ImageDescription } from "./image-writer.ts";
import { directory, fileFrom, fileWith, type LayerEntry, programFrom, symlink } from "./layer-entry.ts";

/** The programs that turn a container into a Kubernetes node. */
export type NodeProgram = "kubelet" | "kubeadm" | "kubectl" | "containerd" | "containerd-shim-runc-v2" | "ctr" | "runc";

/** An image that a node image includes, as an archive on this machine. */
export interface PreloadedImage {
  readonly name: string;
  readonly archive: string;
}

/** The parts of a node image. */
export interface NodeParts {
  /** The image's name. */
  readonly name: string;
  readonly programs: Readonly<Record<NodeProgram, string>>;
  /** Network plugins by their type in network configurations. */
  readonly networkPlugins: Readonly<Record<string, string>>;
  readonly userLand: readonly LayerEntry[];
  /** The image of every pod's sandbox container; one of those loaded before the kubelet starts. */
  readonly sandboxImage: string;
  /** Images required by every pod, so that the kubelet waits for them: pause and kube-proxy. */
  readonly imagesBeforeKubelet: readonly PreloadedImage[];
  readonly imagesAfterKubelet: readonly PreloadedImage[];
}

/** Where a node looks for the script that joins it to its cluster; the pod mounts it there. */
export const nodeBootstrapScript = "/etc/butler/bootstrap/bootstrap.sh";

/** Paths that must persist across container restarts, so that the container restarts as the same node. */
export const nodeVolumes = [
  "/run",
  "/etc/kubernetes",
  "/etc/cni/net.d",
  "/var/lib/cni",
  "/var/lib/containerd",
  "/var/lib/kubelet",
  "/var/log",
] as const;

const preloadedFolder = "/var/lib/butler/images";
const entrypoint = "/usr/local/bin/node-entrypoint";

const release = `NAME="Butler node"
ID=butler-node
PRETTY_NAME="Butler node"
HOME_URL="https://github.com/butlerdotdev"
`;

/**
 * A machine as a container: all programs of a node, the user-land that they call, and the images that it needs to
 * become Ready without a registry. Rarely changing layers come first.
 */
export function butlerNodeImage(parts: NodeParts): ImageDescription {
  return {
    name: parts.name,
    layers: [
      [...parts.userLand, ...nodeFolders(), fileWith("/etc/os-release", release)],
      nodePrograms(parts),
      [
        ...preloaded("before-kubelet", parts.imagesBeforeKubelet),
        ...preloaded("after-kubelet", parts.imagesAfterKubelet),
      ],
      [
        programFrom(besideThisFile("node/node-entrypoint.sh"), entrypoint),
        programFrom(besideThisFile("node/node-network.sh"), "/usr/local/bin/butler-network"),
        fileFrom(besideThisFile("node/containerd.toml"), "/etc/butler/containerd.toml", 0o644),
      ],
    ],
    config: {
      entrypoint: [entrypoint],
      workingDir: "/",
      env: { PATH: searchPath, BUTLER_SANDBOX_IMAGE: parts.sandboxImage },
      stopSignal: "SIGTERM",
    },
  };
}

function nodeFolders(): LayerEntry[] {
  return [
    ...nodeVolumes.map((path) => directory(path)),
    // kubeadm expects the container runtime's socket below it.
    symlink("/var/run", "/run"),
    symlink("/etc/mtab", "/proc/self/mounts"),
    // Mounted over in a pod by Kubernetes; containerd copies these files into the node's pods and fails if they are
    // missing.
    fileWith("/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"),
    fileWith("/etc/resolv.conf", ""),
  ];
}

function nodePrograms({ programs, networkPlugins }: NodeParts): LayerEntry[] {
  return [
    ...Object.entries(programs).map(([name, path]) => programFrom(path, `/usr/local/bin/${name}`)),
    ...Object.entries(networkPlugins).map(([type, path]) => programFrom(path, `/opt/cni/bin/${type}`)),
  ];
}

function preloaded(folder: string, images: readonly PreloadedImage[]): LayerEntry[] {
  const path = `${preloadedFolder}/${folder}`;
  return [
    directory(path),
    ...images.map(({ name, archive }) => fileFrom(archive, `${path}/${archiveFileName(name)}`, 0o644)),
  ];
}

function besideThisFile(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
