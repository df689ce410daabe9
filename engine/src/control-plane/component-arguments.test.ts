import { describe, expect, it } from "vitest";
import {
  apiServerFlags,
  componentEnvironment,
  type ComponentFlags,
  type ComponentTuning,
  controlPlanePaths,
  etcdFlags,
  formatArguments,
} from "./component-arguments.ts";

const paths = controlPlanePaths("/run/plane");

describe("formatArguments", () => {
  it.each<[string, ComponentFlags, ComponentTuning, string[]]>([
    ["writes flags", { v: "2", "data-dir": "/x" }, {}, ["--v=2", "--data-dir=/x"]],
    ["lets the caller win", { v: "2" }, { extraArgs: { v: "4" } }, ["--v=4"]],
    ["lets the caller remove", { v: "2", "audit-log": "-" }, { extraArgs: { v: undefined } }, ["--audit-log=-"]],
    ["repeats lists", {}, { extraArgs: { issuer: ["a", "b"] } }, ["--issuer=a", "--issuer=b"]],
    ["joins gates", {}, { featureGates: { Alpha: true, Beta: false } }, ["--feature-gates=Alpha=true,Beta=false"]],
  ])("%s", (_what, defaults, tuning, expected) => {
    expect(formatArguments(defaults, tuning)).toEqual(expected);
  });
});

describe("component flags", () => {
  it("keep etcd on Unix sockets with TLS on both", () => {
    expect(etcdFlags(paths, { unsafeNoFsync: false })).toMatchObject({
      "listen-client-urls": "unixs:///run/plane/etcd.sock",
      "listen-peer-urls": "unixs:///run/plane/peer.sock",
      "client-cert-auth": "true",
      "peer-client-cert-auth": "true",
    });
    expect(etcdFlags(paths, { unsafeNoFsync: false })).not.toHaveProperty("unsafe-no-fsync");
    expect(etcdFlags(paths, { unsafeNoFsync: true })).toHaveProperty("unsafe-no-fsync", "true");
  });

  it("verify service accounts only with a controller manager", () => {
    const without = apiServerFlags(paths, { port: 1, hasControllerManager: false });
    const withIt = apiServerFlags(paths, { port: 1, hasControllerManager: true });
    expect(without["disable-admission-plugins"]).toBe("ServiceAccount");
    expect(withIt).not.toHaveProperty("disable-admission-plugins");
    expect(withIt["authorization-mode"]).toBe("Node,RBAC");
  });
});

describe("componentEnvironment", () => {
  it("excludes proxies, etcd flags and the surrounding cluster", () => {
    const host = {
      PATH: "/bin",
      HTTPS_PROXY: "http://proxy.example",
      no_proxy: "*",
      ETCD_NAME: "other",
      KUBERNETES_SERVICE_HOST: "10.0.0.1",
      KUBECONFIG: "/root/.kube/config",
      GOMAXPROCS: "1",
      HOME: undefined,
    };
    expect(componentEnvironment(host)).toEqual({ PATH: "/bin", GOMAXPROCS: "1" });
  });
});
