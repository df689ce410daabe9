import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { pipeline } from "node:stream";
import { EtcdAdmin } from "@butler/etcd";
import type { HostedControlPlanes } from "./hosted-control-planes.ts";
import type { KubectlCalls } from "./kubectl-calls.ts";

const place = { namespace: "butler-system", pod: "default-etcd-0", port: 2379 } as const;

/**
 * The shared etcd of an installation, accessed from outside the cluster. Its certificate covers only the loopback
 * address of the pod, so connections go through a local port.
 */
export class SharedStore {
  readonly #kubectl: KubectlCalls;
  readonly #relay: Server;
  readonly #admins: EtcdAdmin[] = [];

  private constructor(kubectl: KubectlCalls, relay: Server) {
    this.#kubectl = kubectl;
    this.#relay = relay;
  }

  static async open(kubectl: KubectlCalls): Promise<SharedStore> {
    const { namespace, pod, port } = place;
    const host = await kubectl.run("get", "pod", pod, "-n", namespace, "-o", "jsonpath={.status.podIP}");
    const relay = createServer((client) => {
      const member = connect(port, host);
      // Either end may close the connection; the other end is then closed too.
      pipeline(client, member, () => undefined);
      pipeline(member, client, () => undefined);
    });
    relay.listen(0, "127.0.0.1");
    await once(relay, "listening");
    return new SharedStore(kubectl, relay);
  }

  /** As root. */
  async asRoot(): Promise<EtcdAdmin> {
    const [ca, cert, key] = await Promise.all([
      this.#textOf("default-etcd-ca", "ca.crt"),
      this.#textOf("default-etcd-root", "tls.crt"),
      this.#textOf("default-etcd-root", "tls.key"),
    ]);
    return this.#connect({ ca, cert, key });
  }

  /** As a control plane, with the certificate of its API server. */
  async asTenant(controlPlanes: HostedControlPlanes, name: string): Promise<EtcdAdmin> {
    const [ca = "", cert = "", key = ""] = await Promise.all(
      ["ca.crt", "server.crt", "server.key"].map((file) =>
        controlPlanes.secretText(`${name}-datastore-certificate`, file),
      ),
    );
    return this.#connect({ ca, cert, key });
  }

  async close(): Promise<void> {
    for (const admin of this.#admins) admin.close();
    this.#relay.close();
    await once(this.#relay, "close");
  }

  #connect(identity: { readonly ca: string; readonly cert: string; readonly key: string }): EtcdAdmin {
    const { port } = this.#relay.address() as AddressInfo;
    const admin = new EtcdAdmin({ ...identity, endpoints: [`localhost:${port}`] });
    this.#admins.push(admin);
    return admin;
  }

  async #textOf(secret: string, key: string): Promise<string> {
    const path = `jsonpath={.data.${key.replace(".", "\\.")}}`;
    const encoded = await this.#kubectl.run("get", "secret", secret, "-n", place.namespace, "-o", path);
    return Buffer.from(encoded, "base64").toString();
  }
}
