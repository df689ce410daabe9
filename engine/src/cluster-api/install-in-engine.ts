import { componentEnvironment } from "../control-plane/component-arguments.ts";
import { ensureTools } from "../ensure-tools.ts";
import { engineImageNames, engineImages } from "../images/image-catalog.ts";
import type { EnginePaths } from "../node/engine-paths.ts";
import { ensureImages, imageStoreOf } from "../node/import-images.ts";
import { installClusterApi, type InstallClusterApiOptions } from "./install.ts";

/** An engine that is up. */
export interface RunningEngine {
  readonly paths: Pick<EnginePaths, "kubeconfig" | "containerdSocket">;
}

/** Installs Cluster API in a local engine, with images made from the engine's own programs: no registry is asked. */
export async function installClusterApiInEngine(
  { paths }: RunningEngine,
  options: Pick<InstallClusterApiOptions, "say" | "signal" | "timeoutMs"> = {},
): Promise<void> {
  const { kubectl } = await ensureTools(["kubectl"], options);
  const images = await engineImages(["cluster-api-controller", "kubeadm-bootstrap-controller"], options);
  await ensureImages(await imageStoreOf(paths), images);
  await installClusterApi({
    ...options,
    kubectl,
    kubeconfig: paths.kubeconfig,
    images: engineImageNames(),
    // A proxy that this machine uses for the internet does not lead to the engine.
    environment: componentEnvironment(process.env),
  });
}
