import type { SessionOptions } from "@butler/cli-session";
import { loadKubeConfig } from "@butler/kube";

/** The kubeconfig of a session as one text, with the context that was chosen, for programs that need a file. Secret. */
export function kubeconfigText({ kubeconfig, context }: SessionOptions): string {
  const config = loadKubeConfig(kubeconfig);
  if (context !== undefined) config.setCurrentContext(context);
  return config.exportConfig();
}
