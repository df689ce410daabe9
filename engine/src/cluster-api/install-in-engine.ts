import { componentEnvironment } from "../control-plane/component-arguments.ts";
import { ensureTools } from "../ensure-tools.ts";
import { clusterApiImage } from "../images/engine-images.ts";
import { ensureUserLand } from "../images/user-land.ts";
import type { EnginePaths } from "../node/engine-paths.ts";
import { ensureImages, imageStoreOf } from "../node/import-images.ts";
import { clusterApiImageNames, installClusterApi, type InstallClusterApiOptions } from "./install.ts";

/** An engine that is up. */
export interface RunningEngine {
  readonly paths: Pick<EnginePaths, "kubeconfig" | "containerdSocket">;
}

/** Installs Cluster API in a local engine, with images made from the engine's own programs: no registry is asked. */
export async function installClusterApiInEngine(
  { paths }: RunningEngine,
  options: Pick<InstallClusterApiOptions, "say" | "signal" | "timeoutMs"> = {},
): Promise<void> {
  const tools = await ensureTools(["kubectl", "ctr", "capi-core", "capi-kubeadm-bootstrap"], options);
  const names = clusterApiImageNames();
  const { base } = await ensureUserLand(options);
  await ensureImages(await imageStoreOf(paths), [
    clusterApiImage({ name: names["cluster-api-controller"], program: tools["capi-core"], base }),
    clusterApiImage({ name: names["kubeadm-bootstrap-controller"], program: tools["capi-kubeadm-bootstrap"], base }),
  ]);
  await installClusterApi({
    ...options,
    kubectl: tools.kubectl,
    kubeconfig: paths.kubeconfig,
    images: names,
    // A proxy that this machine uses for the internet does not lead to the engine.
    environment: componentEnvironment(process.env),
  });
}
