import { nonRootUser } from "./base-files.ts";
import type { ImageDescription } from "./image-writer.ts";
import { directory, type LayerEntry, programFrom } from "./layer-entry.ts";

/** The versions in image names, each with its `v` prefix. */
export interface ImageVersions {
  readonly kubernetes: string;
  readonly etcd: string;
  readonly coredns: string;
  readonly clusterApi: string;
}

/** The Kubernetes programs with an image each. */
export type KubernetesProgram = "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kube-proxy";

/** Every image that the engine builds. */
export type EngineImageName =
  | KubernetesProgram
  | "etcd"
  | "coredns"
  | "pause"
  | "cluster-api-controller"
  | "kubeadm-bootstrap-controller"
  | "butler-node";

/** The version of pause that kubeadm 1.36 and containerd 2.3 use by default. */
const pauseVersion = "3.10.2";

/** The PATH in every image. */
export const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The published name of the node image for a Kubernetes version. */
export function nodeImageName(kubernetes: string): string {
  return `ghcr.io/butlerdotdev/butler-node:${kubernetes}`;
}

/** The published name of a Kubernetes program's image. */
export function kubernetesImageName(program: KubernetesProgram, version: string): string {
  return `registry.k8s.io/${program}:${version}`;
}

/** The names that manifests and kubeadm use, so that an image built here replaces the published one. */
export function imageNames(versions: ImageVersions): Readonly<Record<EngineImageName, string>> {
  const kubernetes = (program: KubernetesProgram): string => kubernetesImageName(program, versions.kubernetes);
  const clusterApi = (manager: string): string => `registry.k8s.io/cluster-api/${manager}:${versions.clusterApi}`;
  return {
    "kube-apiserver": kubernetes("kube-apiserver"),
    "kube-controller-manager": kubernetes("kube-controller-manager"),
    "kube-scheduler": kubernetes("kube-scheduler"),
    "kube-proxy": kubernetes("kube-proxy"),
    etcd: `registry.k8s.io/etcd:${versions.etcd.replace(/^v/, "")}-0`,
    coredns: `registry.k8s.io/coredns/coredns:${versions.coredns}`,
    pause: `registry.k8s.io/pause:${pauseVersion}`,
    "cluster-api-controller": clusterApi("cluster-api-controller"),
    "kubeadm-bootstrap-controller": clusterApi("kubeadm-bootstrap-controller"),
    "butler-node": nodeImageName(versions.kubernetes),
  };
}

/** The parts of an image with one program. */
export interface ProgramParts {
  /** The image's name. */
  readonly name: string;
  /** The program on this machine. */
  readonly program: string;
  /** Its base layer. */
  readonly base: readonly LayerEntry[];
}

/**
 * A Kubernetes program. Static pod manifests refer to it without a path, kubeadm's kube-proxy manifest with this one;
 * kube-proxy's base is the user-land with the packet filters that it calls.
 */
export function kubernetesImage(which: KubernetesProgram, { name, program, base }: ProgramParts): ImageDescription {
  const path = `/usr/local/bin/${which}`;
  return {
    name,
    layers: [base, [programFrom(program, path)]],
    config: { entrypoint: [path], workingDir: "/", env: { PATH: searchPath } },
  };
}

/** etcd, with a data directory that only root can read. */
export function etcdImage({ name, program, base }: ProgramParts): ImageDescription {
  const path = "/usr/local/bin/etcd";
  return {
    name,
    layers: [base, [programFrom(program, path), directory("/var/lib/etcd", 0o700)]],
    config: { entrypoint: [path], workingDir: "/", exposedPorts: ["2379/tcp", "2380/tcp"], env: { PATH: searchPath } },
  };
}

/**
 * CoreDNS. It starts as root, because a layer written here carries no file capabilities; its manifest drops all
 * capabilities except that of binding port 53.
 */
export function coreDnsImage({ name, program, base }: ProgramParts): ImageDescription {
  return {
    name,
    layers: [base, [programFrom(program, "/coredns")]],
    config: {
      entrypoint: ["/coredns"],
      workingDir: "/",
      exposedPorts: ["53/tcp", "53/udp"],
      env: { PATH: searchPath },
    },
  };
}

/** Only the program that holds a pod's namespaces. */
export function pauseImage({ name, program }: Omit<ProgramParts, "base">): ImageDescription {
  return {
    name,
    layers: [[programFrom(program, "/pause")]],
    config: { entrypoint: ["/pause"], user: "65535:65535", workingDir: "/" },
  };
}

/** A Cluster API manager, run as an unprivileged user. */
export function clusterApiImage({ name, program, base }: ProgramParts): ImageDescription {
  return {
    name,
    layers: [base, [programFrom(program, "/manager")]],
    config: { entrypoint: ["/manager"], user: nonRootUser, workingDir: "/" },
  };
}
