import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureTools, openToolCache, type ToolPaths } from "../ensure-tools.ts";
import { selectTools, type ToolName, toolsLock } from "../lock-file.ts";
import {
  clusterApiImage,
  coreDnsImage,
  type EngineImageName,
  etcdImage,
  imageNames,
  type KubernetesProgram,
  kubernetesImage,
  kubernetesImageName,
  nodeImageName,
  pauseImage,
} from "./engine-images.ts";
import { earlierKubernetes } from "../tool-set.ts";
import { archivesOf, ensureArchive } from "./image-archives.ts";
import type { ImageDescription } from "./image-writer.ts";
import { butlerNodeImage } from "./node-image.ts";
import { buildPauseProgram } from "./small-programs.ts";
import { ensureUserLand, type UserLand } from "./user-land.ts";

/** Receives progress messages, and aborts the build. */
export interface CatalogOptions {
  readonly say?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The published names of the images, at the versions of the engine's own programs. */
export function engineImageNames(): Readonly<Record<EngineImageName, string>> {
  const version = (tool: ToolName): string => selectTools(toolsLock, [tool])[0]?.version ?? "";
  return imageNames({
    kubernetes: version("kubectl"),
    etcd: version("etcd"),
    coredns: version("coredns"),
    clusterApi: version("capi-core"),
  });
}

const nodePrograms = [
  "kubelet",
  "kubeadm",
  "kubectl",
  "containerd",
  "containerd-shim-runc-v2",
  "ctr",
  "runc",
] as const satisfies readonly ToolName[];
const networkPlugins = ["bridge", "host-local", "loopback", "portmap", "ptp"] as const satisfies readonly ToolName[];

/** The programs in each image. */
const programsOf: Readonly<Record<EngineImageName, readonly ToolName[]>> = {
  "kube-apiserver": ["kube-apiserver"],
  "kube-controller-manager": ["kube-controller-manager"],
  "kube-scheduler": ["kube-scheduler"],
  "kube-proxy": ["kube-proxy"],
  etcd: ["etcd"],
  coredns: ["coredns"],
  pause: [],
  "cluster-api-controller": ["capi-core"],
  "kubeadm-bootstrap-controller": ["capi-kubeadm-bootstrap"],
  "butler-node": [...nodePrograms, ...networkPlugins, "kube-proxy", "coredns"],
};

/** Describes images built from the engine's own programs, which are installed first if they are missing. */
export async function engineImages(
  which: readonly EngineImageName[],
  options: CatalogOptions = {},
): Promise<ImageDescription[]> {
  const tools = await ensureTools([...new Set(which.flatMap((name) => programsOf[name]))], options);
  const catalog = new Catalog(tools, { userLand: await ensureUserLand(options) });
  return Promise.all(which.map((name) => catalog.describe(name)));
}

/**
 * Describes the images of the previous minor version: a control plane, kube-proxy and a node. The node also contains
 * the newer kube-proxy, which an upgraded control plane deploys on nodes that are still to be replaced.
 */
export async function earlierKubernetesImages(options: CatalogOptions = {}): Promise<ImageDescription[]> {
  const programs = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"] as const;
  const nodeTools = programsOf["butler-node"];
  const [earlier, tools, userLand] = await Promise.all([
    ensureTools([...programs, "kubelet", "kubeadm"], { ...options, set: earlierKubernetes }),
    ensureTools(nodeTools, options),
    ensureUserLand(options),
  ]);
  const kubernetes = selectTools(earlierKubernetes.lock, ["kubelet"])[0]?.version ?? "";
  const images = programs.map((which) =>
    kubernetesImage(which, {
      name: kubernetesImageName(which, kubernetes),
      program: earlier[which],
      base: which === "kube-proxy" ? userLand.proxy : userLand.base,
    }),
  );
  const names = { ...engineImageNames(), "butler-node": nodeImageName(kubernetes) };
  const node = new Catalog({ ...tools, kubelet: earlier.kubelet, kubeadm: earlier.kubeadm }, { userLand, names });
  return [...images, await node.nodeImage(images.slice(-1))];
}

interface CatalogParts {
  readonly userLand: UserLand;
  readonly names?: Readonly<Record<EngineImageName, string>>;
}

class Catalog {
  readonly #names: Readonly<Record<EngineImageName, string>>;
  readonly #tools: Partial<ToolPaths>;
  readonly #userLand: UserLand;

  constructor(tools: Partial<ToolPaths>, { userLand, names = engineImageNames() }: CatalogParts) {
    this.#tools = tools;
    this.#userLand = userLand;
    this.#names = names;
  }

  async describe(which: EngineImageName): Promise<ImageDescription> {
    switch (which) {
      case "pause":
        return pauseImage({ name: this.#names.pause, program: await pauseProgram() });
      case "butler-node":
        return this.nodeImage();
      case "etcd":
        return etcdImage(this.#parts(which, "etcd"));
      case "coredns":
        return coreDnsImage(this.#parts(which, "coredns"));
      case "cluster-api-controller":
        return clusterApiImage(this.#parts(which, "capi-core"));
      case "kubeadm-bootstrap-controller":
        return clusterApiImage(this.#parts(which, "capi-kubeadm-bootstrap"));
      default:
        return this.#kubernetes(which);
    }
  }

  #kubernetes(which: KubernetesProgram): ImageDescription {
    const parts = this.#parts(which, which);
    return kubernetesImage(which, which === "kube-proxy" ? { ...parts, base: this.#userLand.proxy } : parts);
  }

  #parts(which: EngineImageName, tool: ToolName) {
    return { name: this.#names[which], program: this.#program(tool), base: this.#userLand.base };
  }

  #program(tool: ToolName): string {
    return this.#tools[tool] ?? "";
  }

  #programs<Name extends ToolName>(names: readonly Name[]): Record<Name, string> {
    return Object.fromEntries(names.map((name) => [name, this.#program(name)])) as Record<Name, string>;
  }

  /** The image of a machine, with the images that its kubelet needs immediately, and others that it may need. */
  async nodeImage(others: readonly ImageDescription[] = []): Promise<ImageDescription> {
    const archives = archivesOf((await openToolCache()).directory);
    const archived = async (which: EngineImageName) => ensureArchive(archives, await this.describe(which));
    const further = await Promise.all(others.map((image) => ensureArchive(archives, image)));
    return butlerNodeImage({
      name: this.#names["butler-node"],
      programs: this.#programs(nodePrograms),
      networkPlugins: this.#programs(networkPlugins),
      userLand: this.#userLand.node,
      sandboxImage: this.#names.pause,
      imagesBeforeKubelet: [await archived("pause"), await archived("kube-proxy"), ...further],
      imagesAfterKubelet: [await archived("coredns")],
    });
  }
}

async function pauseProgram(): Promise<string> {
  const program = join((await openToolCache()).directory, "pause");
  if (!existsSync(program)) await buildPauseProgram({ output: program });
  return program;
}
