import { componentEnvironment } from "../control-plane/component-arguments.ts";
import { ensureTools } from "../ensure-tools.ts";
import { engineImageNames, engineImages } from "../images/image-catalog.ts";
import type { EnginePaths } from "../node/engine-paths.ts";
import { ensureImages, imageStoreOf } from "../node/import-images.ts";
import { installClusterApi, type InstallClusterApiOptions } from "./install.ts";

/** A running engine. */
export interface RunningEngine {
  readonly paths: Pick<EnginePaths, "kubeconfig" | "containerdSocket">;
}

/** Installs Cluster API in a local engine, with images built from the engine's own programs: no registry is used. */
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
    // A proxy that this machine uses for internet access cannot reach the engine.
    environment: componentEnvironment(process.env),
  });
}
