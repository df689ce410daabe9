import { describeError, InvalidInput } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readTenantKubeconfig } from "./tenant-kubeconfig.ts";

const encoded = (text: string): string => Buffer.from(text).toString("base64");

function kubeconfig({ cluster = {}, user = {} }: { cluster?: object; user?: object } = {}) {
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "blue",
        cluster: { server: "https://10.0.0.1:6443", "certificate-authority-data": encoded("ca"), ...cluster },
      },
    ],
    users: [
      {
        name: "admin",
        user: { "client-certificate-data": encoded("cert"), "client-key-data": encoded("key"), ...user },
      },
    ],
    contexts: [{ name: "admin@blue", context: { cluster: "blue", user: "admin" } }],
    "current-context": "admin@blue",
  };
}

describe("a kubeconfig of a tenant", () => {
  it("is read as YAML and as JSON", () => {
    for (const text of [stringify(kubeconfig()), JSON.stringify(kubeconfig())]) {
      const config = readTenantKubeconfig(text);
      expect(config.getCurrentCluster()).toMatchObject({ server: "https://10.0.0.1:6443", skipTLSVerify: false });
      expect(config.getCurrentUser()).toMatchObject({ certData: encoded("cert"), keyData: encoded("key") });
    }
  });

  it.each([
    ["a program", { user: { exec: { command: "sh", apiVersion: "client.authentication.k8s.io/v1" } } }, "exec"],
    ["a provider of tokens", { user: { "auth-provider": { name: "oidc" } } }, "auth-provider"],
    ["a token in a file", { user: { tokenFile: "/etc/shadow" } }, "tokenFile"],
    ["a certificate in a file", { user: { "client-certificate": "/etc/shadow" } }, "client-certificate"],
    ["another user's name", { user: { as: "system:masters" } }, "as"],
    ["a password", { user: { username: "u", password: "p" } }, "username"],
    ["an authority in a file", { cluster: { "certificate-authority": "/etc/shadow" } }, "certificate-authority"],
    ["TLS verification disabled", { cluster: { "insecure-skip-tls-verify": true } }, "insecure-skip-tls-verify"],
    ["a proxy", { cluster: { "proxy-url": "http://proxy" } }, "proxy-url"],
    ["a server without TLS", { cluster: { server: "http://10.0.0.1" } }, "https"],
    ["no authority", { cluster: { "certificate-authority-data": "" } }, "certificate-authority-data"],
  ])("is rejected with %s", (_what, change, named) => {
    expect(() => readTenantKubeconfig(JSON.stringify(kubeconfig(change)))).toThrow(named);
  });

  it.each([
    ["", "object"],
    ["[", "YAML"],
    ["a: &a [*a]", "YAML"],
    [`{"x":"${"x".repeat(300_000)}"}`, "large"],
  ])("is rejected when it is no kubeconfig: %.20s", (text, named) =>
    expect(() => readTenantKubeconfig(text)).toThrow(named),
  );

  it("does not leak its text when it cannot be read", () => {
    const text = "users:\n- user:\n    client-key-data: VERY-SECRET\n   token: [";
    try {
      readTenantKubeconfig(text);
      expect.fail("it was read");
    } catch (error) {
      expect(describeError(error)).toContain("neither YAML nor JSON");
      expect(`${describeError(error)} ${String((error as Error).cause)}`).not.toContain("SECRET");
    }
  });

  it("never fails in any other way", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          readTenantKubeconfig(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
        }
      }),
    );
  });
});
