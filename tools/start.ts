// `npm start`: a real etcd and API server on this machine with Butler's kinds installed, until Ctrl-C.
import { join } from "node:path";
import { allResources } from "@butler/api";
import { ensureTools, startControlPlane, toolNames } from "@butler/engine";
import { connect, installCrds, loadKubeConfig } from "@butler/kube";

const tools = await ensureTools(toolNames);
console.error("butler: starting etcd and kube-apiserver ...");
const controlPlane = await startControlPlane({ name: "dev", withControllerManager: true });
const { client, close } = connect(loadKubeConfig(controlPlane.kubeconfigPath));
try {
  await installCrds(client, allResources);
  console.log(`
Butler's API is served at ${controlPlane.server} (${allResources.length} kinds).

  export KUBECONFIG=${controlPlane.kubeconfigPath}
  export PATH=${join(tools.kubectl, "..")}:$PATH

  kubectl api-resources --api-group=butler.butlerlabs.dev
  kubectl explain tenantcluster.spec
  kubectl create namespace platform-engineering
  kubectl apply -f examples/public-butler/platform-engineering.yaml
  kubectl get teams,tenantclusters -A

Ctrl-C stops it and removes its data.`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
} finally {
  console.error("butler: stopping ...");
  await close();
  await controlPlane.stop();
}
