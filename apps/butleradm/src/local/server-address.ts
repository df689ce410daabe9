import { namespaces } from "@butler/api";
import { ensureTools, Kubectl, type LocalEngine } from "@butler/engine";

const askForPort = ["get", "service", "butler-server", "-n", namespaces.system, "--ignore-not-found"];

/** Where Butler's server is, as its Service says; undefined when there is none, or nobody answers. */
export async function serverAddress(engine: LocalEngine): Promise<string | undefined> {
  try {
    const { kubectl: program } = await ensureTools(["kubectl"]);
    const kubectl = new Kubectl({ program, kubeconfig: engine.paths.kubeconfig });
    // Who only wants to know how the engine is should not wait.
    const port = await kubectl.run([...askForPort, "-o=jsonpath={.spec.ports[0].nodePort}", "--request-timeout=3s"]);
    return port === "" ? undefined : `http://${await engine.nodeAddress()}:${port}`;
  } catch {
    // How Kubernetes is, the state of the engine says better.
    return undefined;
  }
}
