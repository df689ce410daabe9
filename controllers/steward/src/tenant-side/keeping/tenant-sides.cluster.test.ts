import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { Forbidden, InvalidInput, Timeout, Unavailable } from "@butler/std";
import { eventually, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { keptKinds } from "../kinds.ts";
import { projectLabels } from "../../names.ts";
import { type KeptTenant, objectsWith, roleKey, startKeptTenant, tenantKey } from "../testing/kept-tenant.ts";
import { catalog } from "./tenant-catalog.ts";

let cluster: TestCluster;
let client: ApiClient;
let tenant: KeptTenant;

beforeAll(async () => {
  ({ cluster, client, tenant } = await startKeptTenant());
});
afterAll(() => cluster?.stop());
afterEach(() => tenant.clear());

/** The kubeconfig with another port for the API server. */
function throughPort(port: number, kubeconfig: object): string {
  return JSON.stringify(kubeconfig).replace(cluster.controlPlane.server, `https://127.0.0.1:${port}`);
}

/** A way to the API server that counts who uses it. */
async function openGate(): Promise<{ port: number; open: () => number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const onward = connect(Number(new URL(cluster.controlPlane.server).port), "127.0.0.1");
    socket
      .on("error", () => undefined)
      .on("close", () => {
        sockets.delete(socket);
        onward.destroy();
      });
    onward.on("error", () => undefined).on("close", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, open: () => sockets.size };
}

describe("many tenants", () => {
  it("use the same memory for a full tenant as for an empty one", async () => {
    const steward = tenant.start();
    await steward.keep();
    const before = steward.sides.size;
    const make = (name: string, labels: Record<string, string>): Promise<unknown> =>
      client.create(builtinKinds.ConfigMap, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace: "default", labels },
        data: { text: "x".repeat(1_000) },
      } as DynamicObject);
    for (let at = 0; at < 20; at++) {
      const names = Array.from({ length: 20 }, (_, more) => `full-${at}-${more}`);
      // Even a tenant that sets Steward's label on every object does not exhaust memory.
      await Promise.all(names.map((name) => make(name, at % 2 === 0 ? projectLabels : {})));
    }
    expect(await steward.keep()).toBe(0);
    expect(steward.sides.size).toBe(before);
    const fresh = tenant.start();
    expect(await fresh.keep()).toBe(0);
    expect(fresh.sides.size).toBe(before);
    await fresh.sides.forget(tenantKey);
    expect(fresh.sides.size).toBe(0);
  });

  it("are served while others are unreachable, deleted, or have an invalid kubeconfig", async () => {
    const silent = createServer((socket) => socket.on("error", () => undefined).resume());
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const at = (other: number): string => throughPort(other, cluster.controlPlane.kubeconfig);
    const steward = tenant.start({ requestTimeoutMs: 2_000 });
    const startedAtMs = performance.now();
    const dead = steward.keep({ key: "silent", kubeconfig: at(port) });
    const gone = steward.keep({ key: "gone", kubeconfig: at(1) });
    const evil = steward.keep({ key: "evil", kubeconfig: "exec: /bin/sh" });
    void Promise.allSettled([dead, gone, evil]);
    expect(await steward.keep()).toBe(catalog.size);
    const servedAfterMs = performance.now() - startedAtMs;
    await expect(gone).rejects.toThrow(Unavailable);
    await expect(evil).rejects.toThrow(InvalidInput);
    await expect(dead).rejects.toThrow(Timeout);
    expect(servedAfterMs).toBeLessThan(performance.now() - startedAtMs);

    // One that is forgotten while it does not answer does not block callers either.
    const again = steward.keep({ key: "silent", kubeconfig: at(port) });
    void again.catch(() => undefined);
    const forgettingAtMs = performance.now();
    await steward.sides.forget("silent");
    expect(performance.now() - forgettingAtMs).toBeLessThan(1_000);
    await expect(again).rejects.toThrow();
  });

  it("are reconnected when the kubeconfig changes, leaving nothing open", async () => {
    const steward = tenant.start();
    const gate = await openGate();
    const watches = new Set(objectsWith().map(({ kind }) => kind)).size;
    const issue = async (user: string, groups: readonly string[]): Promise<string> => {
      const { kubeconfig } = await cluster.controlPlane.issueClientCertificate({ user, groups });
      return throughPort(gate.port, kubeconfig);
    };
    await steward.keep({ kubeconfig: await issue("first", ["system:masters"]) });

    await expect(steward.keep({ kubeconfig: await issue("stranger", []) })).rejects.toThrow(Forbidden);
    expect(await steward.keep({ kubeconfig: await issue("renewed", ["system:masters"]) })).toBe(0);
    await client.delete(keptKinds.Role, roleKey);
    await eventually(() => steward.repairs(), { what: "the repair over the new connection" });
    // What is left are the watches of the last connection; requests' connections end when they have nothing to do.
    await eventually(() => gate.open() === watches, { what: () => `${watches} connections instead of ${gate.open()}` });

    await steward.sides.forget(tenantKey);
    await eventually(() => gate.open() === 0, { what: () => `the end of ${gate.open()} connections` });
    await client.delete(keptKinds.Role, roleKey);
    await expect(steward.keep({ kubeconfig: "" })).rejects.toThrow(InvalidInput);
    expect(await client.find(keptKinds.Role, roleKey)).toBeUndefined();
  });

  it("are rejected after shutdown", async () => {
    const steward = tenant.start();
    await steward.sides.close();
    await expect(steward.keep()).rejects.toThrow(Unavailable);
  });
});
