import { kubeconfigSecretName } from "@butler/api-external";
import { builtinKinds, type KubeObject } from "@butler/resource";
import { Forbidden, InvalidInput, Unavailable } from "@butler/std";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocalProviderPorts } from "./local-provider-ports.ts";

const { ConfigMap, Secret } = builtinKinds;
const never = new AbortController().signal;
const secretKey = { namespace: "default", name: kubeconfigSecretName("blue") };
const objectKey = { namespace: "kube-system", name: "written" };

/** Acts as management cluster and tenant at once: the test is about the connection between them. */
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await aTestCluster();
});
afterAll(() => cluster?.stop());

async function writeSecret(data: Record<string, string>): Promise<void> {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: secretKey, stringData: data } as KubeObject;
  await cluster.client.apply(Secret, secret, { fieldManager: "test" });
}

async function kubeconfigOf(user: string, groups: readonly string[]): Promise<string> {
  return JSON.stringify((await cluster.controlPlane.issueClientCertificate({ user, groups })).kubeconfig);
}

it("writes objects with the kubeconfig that the Secret currently contains", async () => {
  const { writeToTenant } = createLocalProviderPorts(cluster.client);
  const write = (text: string): Promise<void> => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: objectKey, data: { text } };
    return writeToTenant({ kubeconfig: secretKey, kinds: [ConfigMap], objects: [object] }, never);
  };
  const written = async (): Promise<unknown> => (await cluster.client.find(ConfigMap, objectKey))?.["data"];

  await expect(write("none")).rejects.toThrow(Unavailable);
  await writeSecret({ other: "x" });
  await expect(write("none")).rejects.toThrow(Unavailable);
  await writeSecret({ value: '{"exec":"/bin/sh"}' });
  await expect(write("none")).rejects.toThrow(InvalidInput);
  await writeSecret({ value: await kubeconfigOf("stranger", []) });
  await expect(write("none")).rejects.toThrow(Forbidden);
  expect(await written()).toBeUndefined();

  await writeSecret({ value: await kubeconfigOf("owner", ["system:masters"]) });
  await write("done");
  expect(await written()).toEqual({ text: "done" });
});
