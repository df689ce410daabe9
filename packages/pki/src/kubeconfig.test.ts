import { expect, it } from "vitest";
import { buildKubeconfig } from "./kubeconfig.ts";

it("builds a kubeconfig whose context joins the cluster and the user", () => {
  const client = { cert: "a certificate", key: "a key" };
  const config = buildKubeconfig({ name: "a", user: "b", server: "https://c:6443", caPem: "größe", client });
  const decode = (text: string | undefined): string => Buffer.from(text ?? "", "base64").toString();
  expect(config).toMatchObject({ apiVersion: "v1", kind: "Config", "current-context": "a" });
  expect(config.contexts).toEqual([{ name: "a", context: { cluster: "a", user: "b" } }]);
  expect(config.clusters).toMatchObject([{ name: "a", cluster: { server: "https://c:6443" } }]);
  expect(decode(config.clusters[0]?.cluster["certificate-authority-data"])).toBe("größe");
  expect(decode(config.users[0]?.user["client-certificate-data"])).toBe("a certificate");
  expect(decode(config.users[0]?.user["client-key-data"])).toBe("a key");
  expect(config.users[0]?.name).toBe("b");
});
