// `npm start`: a real Kubernetes on this machine with Butler's kinds installed. Where the machine cannot host a node, a
// control plane alone, until Ctrl-C.
import { dirname } from "node:path";
import { allResources } from "@butler/api";
import {
  controlPlaneTools,
  ensureTools,
  findObstacles,
  LocalEngine,
  readMachineFacts,
  startControlPlane,
} from "@butler/engine";
import { connect, installCrds, loadKubeConfig } from "@butler/kube";

const engine = new LocalEngine({ say: (sentence) => console.error(`butler: ${sentence}`) });
const missingPackagesOnly = { ...(await readMachineFacts(engine.home)), missingPrograms: [] };
const obstacles = findObstacles(missingPackagesOnly);

if (obstacles.length === 0) {
  await engine.up();
  await serveKinds(engine.paths.kubeconfig);
  const { kubectl } = await ensureTools(["kubectl"]);
  console.log(instructions({ kubeconfig: engine.paths.kubeconfig, kubectl, ending: "bin/butleradm local down|reset" }));
} else {
  for (const { what, remedy } of obstacles) console.error(`butler: no node can run here: ${what}. ${remedy}`);
  await runControlPlaneOnly();
}

async function runControlPlaneOnly(): Promise<void> {
  const { kubectl } = await ensureTools(controlPlaneTools);
  console.error("butler: starting a control plane without nodes ...");
  const controlPlane = await startControlPlane({ name: "dev", withControllerManager: true });
  try {
    await serveKinds(controlPlane.kubeconfigPath);
    console.log(instructions({ kubeconfig: controlPlane.kubeconfigPath, kubectl, ending: "Ctrl-C" }));
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    });
  } finally {
    console.error("butler: stopping ...");
    await controlPlane.stop();
  }
}

async function serveKinds(kubeconfig: string): Promise<void> {
  const { client, close } = connect(loadKubeConfig(kubeconfig));
  await installCrds(client, allResources);
  await close();
}

function instructions(facts: { kubeconfig: string; kubectl: string; ending: string }): string {
  return `
Butler's ${allResources.length} kinds are served. Use them with:

  export KUBECONFIG=${facts.kubeconfig}
  export PATH=${dirname(facts.kubectl)}:$PATH

  kubectl get nodes
  kubectl explain tenantcluster.spec
  kubectl create namespace platform-engineering
  kubectl apply -f examples/public-butler/platform-engineering.yaml
  kubectl get teams,tenantclusters -A

It is ended by: ${facts.ending}`;
}
