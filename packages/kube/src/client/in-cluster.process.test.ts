import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "./connect.ts";
import { loadKubeConfig } from "./connection.ts";
import { loadInClusterConfig } from "./in-cluster.ts";
import { OpensslAuthority } from "../admission/openssl-authority.ts";

let authority: OpensslAuthority;
let folder: string;
let mounts = 0;

beforeAll(async () => {
  authority = await OpensslAuthority.create("cluster");
});
afterAll(() => authority.remove());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-account-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Puts an account where the kubelet would: files behind links to a directory that is swapped in one step. */
async function mount(files: Readonly<Record<string, string>>): Promise<void> {
  const data = join(folder, `..${++mounts}`);
  await mkdir(data);
  for (const [name, content] of Object.entries(files)) await writeFile(join(data, name), content);
  await symlink(data, join(folder, "..next"));
  await rename(join(folder, "..next"), join(folder, "..data"));
  for (const name of Object.keys(files)) {
    await symlink(join("..data", name), join(folder, name)).catch(() => undefined);
  }
}

const inPod = (host = "10.96.0.1", port = "443") => ({
  environment: { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port },
  folder,
});

const account = { token: "first", "ca.crt": "pem", namespace: "butler-system" };

describe("loadInClusterConfig", () => {
  it.each([
    ["10.96.0.1", "443", "https://10.96.0.1:443"],
    ["10.96.0.1", "8080", "https://10.96.0.1:8080"],
    ["fd00::1", "6443", "https://[fd00::1]:6443"],
  ])("finds the server at %s port %s", async (host, port, server) => {
    await mount(account);
    const config = loadInClusterConfig(inPod(host, port));
    expect(config?.getCurrentCluster()?.server).toBe(server);
    expect(config?.getContextObject("pod")?.namespace).toBe("butler-system");
  });

  it.each([
    {},
    { KUBERNETES_SERVICE_HOST: "10.96.0.1" },
    { KUBERNETES_SERVICE_HOST: "", KUBERNETES_SERVICE_PORT: "443" },
  ])("is undefined outside of a pod: %j", (environment) => {
    expect(loadInClusterConfig({ environment, folder })).toBeUndefined();
  });

  it.each(["token", "ca.crt"])("reports the remedy when the pod has no %s", async (missing) => {
    const { [missing]: _absent, ...rest } = account as Record<string, string>;
    await mount(rest);
    expect(() => loadInClusterConfig(inPod())).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", hint: expect.stringContaining("automountServiceAccountToken") }),
    );
  });
});

describe("a client in a pod", () => {
  let server: Server;
  let accepted: string;
  const seen: (string | undefined)[] = [];

  beforeEach(async () => {
    accepted = "first";
    seen.length = 0;
    const pair = await authority.issue("server");
    server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
      seen.push(request.headers.authorization);
      const isKnown = request.headers.authorization === `Bearer ${accepted}`;
      response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" }).end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    await mount({ ...account, "ca.crt": authority.caPem });
  });
  afterEach(() => {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
  });

  function connectFromPod(clock?: FakeClock) {
    const config = loadInClusterConfig(inPod("127.0.0.1", String((server.address() as AddressInfo).port)));
    return connect(config ?? expect.fail("not in a pod"), clock === undefined ? {} : { clock });
  }
  const get = { method: "GET", path: "/api", action: "look" } as const;

  it("uses the new token at once when the old one is rejected", async () => {
    const { transport, close } = connectFromPod();
    try {
      await transport.json(get);
      accepted = "second";
      await mount({ ...account, token: "second", "ca.crt": authority.caPem });
      await transport.json(get);
      expect(seen).toEqual(["Bearer first", "Bearer first", "Bearer second"]);
    } finally {
      await close();
    }
  });

  it("picks up a new token before the old one is rejected", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const clock = new FakeClock();
    const { transport, close } = connectFromPod(clock);
    try {
      await transport.json(get);
      await mount({ ...account, token: "second", "ca.crt": authority.caPem });
      accepted = "second";
      clock.advance(91_000);
      vi.setSystemTime(Date.now() + 91_000);
      await transport.json(get);
      expect(seen).toEqual(["Bearer first", "Bearer second"]);
    } finally {
      await close();
    }
  });

  it("rejects a server that the cluster CA did not sign", async () => {
    const stranger = await OpensslAuthority.create("stranger");
    try {
      await mount({ ...account, "ca.crt": stranger.caPem });
      const { transport, close } = connectFromPod();
      await expect(transport.json(get)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(seen).toEqual([]);
      await close();
    } finally {
      await stranger.remove();
    }
  });
});

describe("loadKubeConfig", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("reports the remedy when no cluster is configured", () => {
    for (const name of ["KUBECONFIG", "KUBERNETES_SERVICE_HOST"]) vi.stubEnv(name, "");
    for (const name of ["HOME", "HOMEDRIVE", "HOMEPATH", "USERPROFILE"]) vi.stubEnv(name, folder);
    expect(() => loadKubeConfig()).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", hint: expect.stringContaining("--kubeconfig") }),
    );
  });

  it("prefers the given kubeconfig to the pod's service account", async () => {
    const file = join(folder, "kubeconfig");
    await writeFile(
      file,
      JSON.stringify({
        clusters: [{ name: "c", cluster: { server: "https://named.example" } }],
        contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
        users: [{ name: "u", user: {} }],
        "current-context": "c",
      }),
    );
    vi.stubEnv("KUBERNETES_SERVICE_HOST", "10.96.0.1");
    vi.stubEnv("KUBERNETES_SERVICE_PORT", "443");
    vi.stubEnv("KUBECONFIG", file);
    expect(loadKubeConfig().getCurrentCluster()?.server).toBe("https://named.example");
    vi.stubEnv("KUBECONFIG", "");
    expect(loadKubeConfig(file).getCurrentCluster()?.server).toBe("https://named.example");
  });
});
