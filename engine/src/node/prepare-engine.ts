import { copyFile, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { authenticationConfiguration } from "../control-plane/component-arguments.ts";
import { hasCgroupV2 } from "./cgroups.ts";
import { buildCniConfig } from "./cni-config.ts";
import { renderContainerdConfig } from "./containerd-config.ts";
import { type EngineKeysInput, writeKeys } from "./engine-keys.ts";
import { buildKubeProxyConfig } from "./kube-proxy-config.ts";
import { buildKubeletConfig } from "./kubelet-config.ts";

/** The image of pod sandboxes. */
export const sandboxImage = "registry.k8s.io/pause:3.10.2";

/** The plugins of the pod network. */
export const cniPlugins = ["bridge", "host-local", "loopback", "portmap", "ptp"] as const;

/** The engine to prepare, and its programs. */
export interface PrepareInput extends EngineKeysInput {
  /** The absolute path of runc and of each plugin of the pod network. */
  readonly programs: Readonly<Record<"runc" | (typeof cniPlugins)[number], string>>;
}

/**
 * Writes every file that the engine's programs read: keys, kubeconfigs, configuration. Repeating it does not change the
 * CAs.
 */
export async function prepareEngine(input: PrepareInput): Promise<void> {
  const { paths } = input;
  const { controlPlane } = paths;
  const folders = [
    paths.config,
    paths.logs,
    paths.podLogs,
    paths.kubeletRoot,
    paths.containerdRoot,
    paths.containerdState,
  ];
  for (const folder of [
    ...folders,
    paths.cniBin,
    paths.cniConf,
    paths.cniState,
    paths.volumes,
    controlPlane.directory,
  ]) {
    await mkdir(folder, { recursive: true, mode: 0o755 });
  }
  await writeKeys(input);
  await writeFile(controlPlane.authenticationConfig, JSON.stringify(authenticationConfiguration));
  for (const plugin of cniPlugins) await copyFile(input.programs[plugin], join(paths.cniBin, plugin));
  await writeSettings(input);
}

async function writeSettings({ name, paths, layout, programs }: PrepareInput): Promise<void> {
  const file = (text: string): string => join(paths.config, text);
  const containerd = renderContainerdConfig({
    root: paths.containerdRoot,
    state: paths.containerdState,
    socket: paths.containerdSocket,
    cniBinDirectory: paths.cniBin,
    cniConfDirectory: paths.cniConf,
    runc: programs.runc,
    sandboxImage,
    mayLowerOomScore: await mayLowerOomScore(),
    registryConfigDirectory: file("registries"),
  });
  const kubelet = buildKubeletConfig({
    layout,
    pki: paths.controlPlane.pki,
    containerdSocket: paths.containerdSocket,
    cgroupRoot: `/butler-${name}`,
    podLogs: paths.podLogs,
    resolvConf: "/etc/resolv.conf",
    hasCgroupV2: hasCgroupV2(),
  });
  const kubeProxy = buildKubeProxyConfig(layout, { kubeconfig: file("kube-proxy.kubeconfig") });
  await writeFile(file("containerd.toml"), containerd);
  await writeFile(file("kubelet.json"), JSON.stringify(kubelet, undefined, 2));
  await writeFile(file("kube-proxy.json"), JSON.stringify(kubeProxy, undefined, 2));
  await writeFile(join(paths.cniConf, "10-butler.conflist"), JSON.stringify(buildCniConfig(layout, paths.cniState)));
}

/** Root in a container or a small virtual machine may not be allowed to make a process less likely to be killed. */
async function mayLowerOomScore(): Promise<boolean> {
  const path = "/proc/self/oom_score_adj";
  const current = Number(await readFile(path, "utf8"));
  const file = await open(path, "w");
  try {
    await file.write(String(current - 1));
    await file.write(String(current), 0);
    return true;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
