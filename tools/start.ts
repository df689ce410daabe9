// `npm start`: a real Kubernetes on this machine with Butler installed. If the machine cannot host a node, only a control
// plane that runs until Ctrl-C.
import { dirname } from "node:path";
import { allResources } from "@butler/api";
import { installInEngine } from "@butler/butler/deploy";
import {
  allTools,
  controlPlaneTools,
  ensureTools,
  findMachineProblems,
  Kubectl,
  LocalEngine,
  readMachineFacts,
  silentProgress,
  startControlPlane,
} from "@butler/engine";
import { connect, installCrds, loadKubeConfig } from "@butler/kube";
import { makeFirstCluster } from "./first-cluster.ts";

const startedAt = performance.now();
const say = (sentence: string): void => console.error(`butler: ${sentence} (${elapsed()})`);
const engine = new LocalEngine({ say, progress: silentProgress });
const missingPackagesOnly = { ...(await readMachineFacts(engine.home)), missingPrograms: [] };
const problems = findMachineProblems(missingPackagesOnly);

if (problems.length === 0) await runPlatform();
else {
  for (const { what, remedy } of problems) console.error(`butler: this machine cannot run a node: ${what}. ${remedy}`);
  await runControlPlaneOnly();
}

/** Starts the engine as soon as its own binaries are ready, while the others are still being built. */
async function runPlatform(): Promise<void> {
  const programs = ensureTools(allTools).then((tools) => {
    say("all binaries are ready");
    return tools;
  });
  const [{ kubectl }] = await Promise.all([programs, engine.up()]);
  await installInEngine(engine, { say });
  const { kubeconfig } = engine.paths;
  await makeFirstCluster({ kubectl: new Kubectl({ program: kubectl, kubeconfig }), kubeconfig, say });
  const ending = "bin/butleradm local down|reset";
  const server = { address: `http://${await engine.nodeAddress()}:30080`, token: await setupToken(kubectl) };
  const first = [
    "kubectl get tenantclusters -A",
    "bin/butlerctl cluster kubeconfig demo > demo.kubeconfig",
    "kubectl --kubeconfig demo.kubeconfig get nodes",
    "bin/butlerctl cluster scale demo --workers 3",
  ];
  console.log(instructions({ kubeconfig, kubectl, ending, first, server }));
}

async function runControlPlaneOnly(): Promise<void> {
  const { kubectl } = await ensureTools(controlPlaneTools);
  console.error("butler: starting a control plane without nodes ...");
  const controlPlane = await startControlPlane({ name: "dev", withControllerManager: true });
  try {
    await serveKinds(controlPlane.kubeconfigPath);
    const first = ["kubectl explain tenantcluster.spec", "kubectl get tenantclusters -A"];
    console.log(instructions({ kubeconfig: controlPlane.kubeconfigPath, kubectl, ending: "Ctrl-C", first }));
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

function elapsed(): string {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

interface Instructions {
  readonly kubeconfig: string;
  readonly kubectl: string;
  readonly ending: string;
  /** Commands to start with. */
  readonly first: readonly string[];
  /** Address and setup token of Butler's server, if one runs. */
  readonly server?: ServerFacts;
}

interface ServerFacts {
  readonly address: string;
  /** Creates the first administrator, once; undefined when an administrator exists. */
  readonly token: string | undefined;
}

async function setupToken(program: string): Promise<string | undefined> {
  const kubectl = new Kubectl({ program, kubeconfig: engine.paths.kubeconfig });
  await kubectl.run(["rollout", "status", "deployment/butler-server", "-n", "butler-system", "--timeout=120s"]);
  const secret = ["get", "secret", "butler-setup-token", "-n", "butler-system", "--ignore-not-found"];
  const encoded = await kubectl.run([...secret, "-o=jsonpath={.data.token}"]);
  return encoded === "" ? undefined : Buffer.from(encoded, "base64").toString();
}

/** The first user to open the link becomes the administrator. */
function serverInstructions(server: ServerFacts | undefined): string {
  if (server === undefined) return "";
  const { address, token } = server;
  const first =
    token === undefined
      ? ""
      : `\nCreate the first administrator (link valid once): ${address}/setup#token=${encodeURIComponent(token)}`;
  return `\n\nConsole: ${address}\nAPI docs: ${address}/api/docs${first}`;
}

function instructions(facts: Instructions): string {
  return `
Butler is ready with ${allResources.length} resource kinds. To use it:

  export KUBECONFIG=${facts.kubeconfig}
  export PATH=${dirname(facts.kubectl)}:$PATH

${facts.first.map((command) => `  ${command}`).join("\n")}${serverInstructions(facts.server)}

Stop it with: ${facts.ending}`;
}
