import { InvalidInput } from "@butler/std";
import { stringify } from "yaml";
import { describe, expect, it } from "vitest";
import { parseTenantKubeconfig } from "./tenant-kubeconfig.ts";

const secret = Buffer.from("a private key").toString("base64");

interface Parts {
  readonly cluster?: Record<string, unknown>;
  readonly user?: Record<string, unknown>;
  readonly context?: Record<string, unknown>;
  readonly top?: Record<string, unknown>;
}

function kubeconfig({ cluster, user, context, top }: Parts = {}): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "c",
        cluster: { server: "https://blue.default.svc:6443", "certificate-authority-data": "Y2E=", ...cluster },
      },
    ],
    users: [{ name: "u", user: { "client-certificate-data": "Y2VydA==", "client-key-data": secret, ...user } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", ...context } }],
    "current-context": "x",
    ...top,
  });
}

describe("parseTenantKubeconfig", () => {
  it("takes what Steward writes", () => {
    const config = parseTenantKubeconfig(kubeconfig());
    expect(config.getCurrentCluster()).toMatchObject({
      server: "https://blue.default.svc:6443",
      caData: "Y2E=",
      skipTLSVerify: false,
    });
    expect(config.getCurrentUser()).toMatchObject({ certData: "Y2VydA==", keyData: secret });
  });

  it.each<[string, string]>([
    ["a program to run", kubeconfig({ user: { exec: { command: "/bin/sh", args: ["-c", "id"] } } })],
    [
      "an authentication plug-in",
      kubeconfig({ user: { "auth-provider": { name: "gcp", config: { "cmd-path": "/x" } } } }),
    ],
    ["a file with a token", kubeconfig({ user: { tokenFile: "/etc/passwd" } })],
    ["a file with a certificate", kubeconfig({ user: { "client-certificate": "/etc/passwd" } })],
    ["a file with a key", kubeconfig({ user: { "client-key": "/etc/shadow" } })],
    ["another identity", kubeconfig({ user: { as: "system:admin" } })],
    ["a password", kubeconfig({ user: { username: "x", password: "y" } })],
    ["a file with the authority", kubeconfig({ cluster: { "certificate-authority": "/etc/passwd" } })],
    ["no check of the server", kubeconfig({ cluster: { "insecure-skip-tls-verify": true } })],
    ["a proxy", kubeconfig({ cluster: { "proxy-url": "http://mallory.example.com" } })],
    ["no authority", kubeconfig({ cluster: { "certificate-authority-data": undefined } })],
    ["a server without TLS", kubeconfig({ cluster: { server: "http://blue.default.svc" } })],
    ["a server that is no URL", kubeconfig({ cluster: { server: "blue" } })],
    ["no key", kubeconfig({ user: { "client-key-data": "" } })],
    ["extensions", kubeconfig({ top: { extensions: [] } })],
    ["a context that is not there", kubeconfig({ top: { "current-context": "y" } })],
    ["a user that is not there", kubeconfig({ context: { user: "y" } })],
    ["a cluster that is not there", kubeconfig({ context: { cluster: "y" } })],
    ["nothing", ""],
    ["a list", "- 1"],
    ["rubbish", `{ "client-key-data": ${secret}, [`],
    ["a text", "hello"],
  ])("refuses %s, and keeps what it read to itself", (_what, text) => {
    const refusal = catchError(() => parseTenantKubeconfig(text));
    expect(refusal).toBeInstanceOf(InvalidInput);
    expect(refusal).toMatchObject({ hint: expect.stringContaining("Secret") as string });
    expect(JSON.stringify([refusal.message, refusal.stack, String(refusal.cause)])).not.toContain(secret);
  });
});

function catchError(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
