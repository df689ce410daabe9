import { namespaces } from "@butler/api";
import { ensureTools, Kubectl, type LocalEngine } from "@butler/engine";

const askForPort = ["get", "service", "butler-server", "-n", namespaces.system, "--ignore-not-found"];

/** The address of Butler's server from its Service; undefined when there is none, or the API server is unreachable. */
export async function serverAddress(engine: LocalEngine): Promise<string | undefined> {
  try {
    const { kubectl: program } = await ensureTools(["kubectl"]);
    const kubectl = new Kubectl({ program, kubeconfig: engine.paths.kubeconfig });
    // The status of the engine must not wait for this.
    const port = await kubectl.run([...askForPort, "-o=jsonpath={.spec.ports[0].nodePort}", "--request-timeout=3s"]);
    return port === "" ? undefined : `http://${await engine.nodeAddress()}:${port}`;
  } catch {
    // The engine's own state already reports problems of Kubernetes.
    return undefined;
  }
}
