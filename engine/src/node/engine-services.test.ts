import { describe, expect, it } from "vitest";
import { enginePaths } from "./engine-paths.ts";
import { type EngineProgram, engineServices } from "./engine-services.ts";
import { networkLayout } from "./network-layout.ts";

const programs = Object.fromEntries(
  ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "containerd", "kubelet", "kube-proxy"].map(
    (name) => [name, `/cache/bin/${name}`],
  ),
) as Record<EngineProgram, string>;

const services = engineServices({
  layout: networkLayout(1),
  paths: enginePaths("demo", "/srv/butler"),
  programs,
  nodeName: "butler-demo",
  environment: { HOME: "/root" },
});

const argumentsOf = (name: string): readonly string[] => services.find((service) => service.name === name)?.args ?? [];

describe("the services of an engine", () => {
  it("all run inside the engine's network namespace", () => {
    for (const { args } of services) expect(args[0]).toBe("--net=/run/netns/butler1");
  });

  it("all have a readiness probe, and depend only on each other", () => {
    const names = services.map(({ name }) => name);
    for (const { readiness, dependsOn } of services) {
      expect(readiness).toBeDefined();
      expect(dependsOn.filter((name) => !names.includes(name))).toEqual([]);
    }
  });

  it("keep every file below the engine's directory", () => {
    const paths = services.flatMap(({ args }) => args.flatMap((arg) => /=(\/.*)$/.exec(arg)?.[1] ?? []));
    const outside = paths.filter((path) => !path.startsWith("/srv/butler/demo/") && !path.startsWith("/run/netns/"));
    expect(outside).toEqual([]);
  });

  it("require TLS: the API server verifies kubelets, and etcd has no port", () => {
    expect(argumentsOf("kube-apiserver").some((arg) => arg.startsWith("--kubelet-certificate-authority="))).toBe(true);
    expect(argumentsOf("etcd").filter((arg) => arg.includes("http://"))).toEqual([]);
    expect(argumentsOf("etcd")).toContain("--client-cert-auth=true");
  });

  it("run etcd with fsync, because a local engine's data is persistent", () => {
    expect(argumentsOf("etcd").some((arg) => arg.includes("unsafe-no-fsync"))).toBe(false);
  });
});

describe("the name of an engine", () => {
  it.each(["", "Big", "-x", "a".repeat(21), "a/b", "a.b"])("cannot be %j", (name) => {
    expect(() => enginePaths(name, "/srv")).toThrow("is not a valid engine name");
  });
});
