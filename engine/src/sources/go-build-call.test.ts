import { describe, expect, it } from "vitest";
import { selectTools, toolNames, toolsLock } from "../lock-file.ts";
import { divideIntoCalls, goBuildArguments, goEnvironment } from "./go-build-call.ts";

describe("divideIntoCalls", () => {
  const divide = (...names: string[]): string[][] =>
    divideIntoCalls(selectTools(toolsLock, names)).map((call) => call.map(({ name }) => name));

  it("builds all tools in one call, in order", () => {
    expect(divide("kubectl", "etcd", "capi-core")).toEqual([["etcd", "kubectl", "capi-core"]]);
    expect(divide()).toEqual([]);
  });

  it("separates packages whose output files have the same name", () => {
    expect(divide("kubeadm", "capi-kubeadm-bootstrap", "kwok")).toEqual([
      ["kubeadm", "kwok"],
      ["capi-kubeadm-bootstrap"],
    ]);
  });

  it("needs three calls for everything, one of them for the module with cgo", () => {
    const modules = Map.groupBy(selectTools(toolsLock, toolNames), ({ module }) => module.directory);
    expect([...modules].map(([directory, tools]) => [directory, divideIntoCalls(tools).length])).toEqual([
      [".", 2],
      ["runc", 1],
    ]);
  });
});

describe("goBuildArguments", () => {
  it("builds all tools in one call, stamped with their version", () => {
    const names = ["etcd", "kube-apiserver", "coredns", "helm"];
    expect(goBuildArguments(selectTools(toolsLock, names), "/out")).toEqual([
      "build",
      "-trimpath",
      "-gcflags=all=-dwarf=false",
      "-ldflags",
      "-s -w -X k8s.io/component-base/version.gitVersion=v1.36.3 -X k8s.io/component-base/version.gitMajor=1 " +
        "-X k8s.io/component-base/version.gitMinor=36 -X k8s.io/client-go/pkg/version.gitVersion=v1.36.3 " +
        "-X k8s.io/client-go/pkg/version.gitMajor=1 -X k8s.io/client-go/pkg/version.gitMinor=36 " +
        "-X helm.sh/helm/v4/internal/version.version=v4.3.1",
      "-o",
      "/out/",
      "go.etcd.io/etcd/server/v3",
      "k8s.io/kubernetes/cmd/kube-apiserver",
      "./coredns",
      "helm.sh/helm/v4/cmd/helm",
    ]);
  });

  it("links a cgo program statically, with its tags", () => {
    expect(goBuildArguments(selectTools(toolsLock, ["runc"]), "/out").slice(3)).toEqual([
      "-tags",
      "seccomp,netgo,osusergo",
      "-ldflags",
      "-s -w -linkmode external -extldflags -static",
      "-o",
      "/out/",
      "github.com/opencontainers/runc",
    ]);
  });
});

describe("goEnvironment", () => {
  it("sets what affects the result and keeps the rest", () => {
    const host = { PATH: "/bin", GOPROXY: "https://proxy.example", GOOS: "plan9", GOARCH: "arm", GOFLAGS: "-mod=mod" };
    expect(goEnvironment(host)).toEqual({
      PATH: "/bin",
      GOPROXY: "https://proxy.example",
      CGO_ENABLED: "0",
      GOGC: "off",
      GOMEMLIMIT: "3GiB",
      GOTOOLCHAIN: "local",
      GOWORK: "off",
      GOFLAGS: "-buildvcs=false -mod=readonly",
    });
  });
});
