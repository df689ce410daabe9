import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directTarget } from "./direct-target.ts";
import { mergeKubeconfigs, readKubeconfigFiles } from "./kubeconfig-files.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-direct-"));
  await writeFile(join(folder, "token"), "from-file\n");
  await writeFile(join(folder, "ca.crt"), "authority");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const server = "https://10.0.0.1:6443/";
const target = (cluster: object, user: object, environment: Record<string, string> = {}) =>
  directTarget({ cluster: { server, ...cluster }, user: { ...user } }, environment);

describe("directTarget", () => {
  it("reads an address, certificates and a token", () => {
    const ca = Buffer.from("authority").toString("base64");
    expect(target({ "certificate-authority-data": ca, "tls-server-name": "api" }, { token: "t" })).toEqual({
      server: "https://10.0.0.1:6443",
      tls: { ca: Buffer.from("authority"), servername: "api" },
      headers: { authorization: "Bearer t" },
    });
    const pair = { "client-certificate-data": "YQ==", "client-key-data": "Yg==" };
    expect(target({}, pair)).toEqual({
      server: "https://10.0.0.1:6443",
      tls: { cert: Buffer.from("a"), key: Buffer.from("b") },
      headers: {},
    });
    expect(target({ "insecure-skip-tls-verify": true }, {})?.tls).toEqual({ rejectUnauthorized: false });
  });

  it("reads files", () => {
    const files = target({ "certificate-authority": join(folder, "ca.crt") }, { tokenFile: join(folder, "token") });
    expect(files).toMatchObject({
      tls: { ca: Buffer.from("authority") },
      headers: { authorization: "Bearer from-file" },
    });
  });

  it.each<[string, object, object, Record<string, string>?]>([
    ["an exec plug-in", {}, { exec: { command: "aws" } }],
    ["a provider", {}, { "auth-provider": { name: "oidc" } }],
    ["a password", {}, { username: "u", password: "p" }],
    ["impersonation", {}, { token: "t", as: "another-user" }],
    ["a proxy of the cluster", { "proxy-url": "http://proxy" }, { token: "t" }],
    ["a proxy in the environment", {}, { token: "t" }, { HTTPS_PROXY: "http://proxy" }],
    ["an unknown field", { "disable-compression": true }, { token: "t" }],
    ["a missing file", { "certificate-authority": "/nowhere/ca.crt" }, { token: "t" }],
    ["an invalid address", { server: "10.0.0.1" }, { token: "t" }],
  ])("leaves %s to the full client", (_what, cluster, user, environment) => {
    expect(target(cluster, user, environment)).toBeUndefined();
  });
});

describe("readKubeconfigFiles", () => {
  const first = {
    "current-context": "one",
    contexts: [{ name: "one", context: { cluster: "c", user: "u", namespace: "team" } }],
    clusters: [{ name: "c", cluster: { server, "certificate-authority": "ca.crt" } }],
  };
  const second = {
    "current-context": "two",
    contexts: [
      { name: "one", context: { cluster: "other", user: "u" } },
      { name: "two", context: { cluster: "c", user: "absent" } },
      { name: "broken", context: { cluster: "absent", user: "u" } },
    ],
    users: [{ name: "u", user: { token: "t" } }],
  };

  it("merges several files, the first before the second, with absolute paths", () => {
    const files = [
      { folder: "/a", content: first },
      { folder: "/b", content: second },
    ];
    const cluster = { server, "certificate-authority": "/a/ca.crt" };
    expect(mergeKubeconfigs(files)).toEqual({
      currentContext: "one",
      contexts: [
        { name: "one", namespace: "team", cluster, user: { token: "t" } },
        { name: "two", namespace: undefined, cluster, user: {} },
      ],
    });
  });

  it("looks where kubectl looks", async () => {
    const [one, two] = [join(folder, "one"), join(folder, "two")];
    await writeFile(one, JSON.stringify(first));
    await writeFile(two, "current-context: two\nusers:\n- name: u\n  user:\n    token: t\n");
    expect(readKubeconfigFiles({ environment: { KUBECONFIG: `${one}:${two}` } })?.contexts).toHaveLength(1);
    expect(readKubeconfigFiles({ file: two, environment: { KUBECONFIG: one } })?.currentContext).toBe("two");
    expect(readKubeconfigFiles({ environment: { HOME: folder } })).toBeUndefined();
  });

  it.each([["text"], ["- a list"], ["{"], [""]])(
    "leaves %j to the full client, which reports the error",
    async (content) => {
      const file = join(folder, "odd");
      await writeFile(file, content);
      expect(readKubeconfigFiles({ file, environment: {} })).toBeUndefined();
    },
  );
});
