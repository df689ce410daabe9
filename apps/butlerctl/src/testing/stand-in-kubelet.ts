import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority, issueCertificate } from "@butler/pki";
import { builtinKinds } from "@butler/resource";
import type { CommandLineHarness } from "@butler/cli-kit/testing";

/** A fake kubelet that serves logs to the API server. */
export interface StandInKubelet {
  /** Requested path and query. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

/**
 * Starts a kubelet whose containers log one line each, and creates a node for it. With `follow`, streams stay open
 * until the client disconnects.
 */
export async function startKubelet(harness: CommandLineHarness, node: string): Promise<StandInKubelet> {
  const authority = await createAuthority("kubelet");
  const { cert, key } = await issueCertificate(authority, {
    commonName: node,
    usages: ["server"],
    ipAddresses: ["127.0.0.1"],
  });
  const asked: string[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const { url = "" } = request;
    asked.push(url);
    const container = new URL(url, "https://kubelet").pathname.split("/").at(-1) ?? "";
    response.writeHead(200, { "content-type": "text/plain" });
    response.write(`I1116 ${container}  says\thello\n`);
    if (!url.includes("follow=true")) response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await harness.create(builtinKinds.Node, { name: node }, {});
  await harness.cluster.client.patch(
    builtinKinds.Node,
    { name: node },
    {
      type: "merge",
      subresource: "status",
      patch: {
        status: {
          addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
          daemonEndpoints: { kubeletEndpoint: { Port: port } },
          conditions: [{ type: "Ready", status: "True" }],
          nodeInfo: nodeInfo,
        },
      },
    },
  );
  return {
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const nodeInfo = {
  kubeletVersion: "v1.35.2",
  osImage: "Rocky Linux 9.5",
  containerRuntimeVersion: "containerd://2.1",
  machineID: "",
  systemUUID: "",
  bootID: "",
  kernelVersion: "",
  kubeProxyVersion: "",
  operatingSystem: "linux",
  architecture: "amd64",
};
