import type { SessionOptions } from "@butler/cli-session";
import { loadKubeConfig } from "@butler/kube";

/** The kubeconfig of a session with the selected context, for programs that need a file. Contains credentials. */
export function kubeconfigText({ kubeconfig, context }: SessionOptions): string {
  const config = loadKubeConfig(kubeconfig);
  if (context !== undefined) config.setCurrentContext(context);
  return config.exportConfig();
}
