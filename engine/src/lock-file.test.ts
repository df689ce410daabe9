import { InvalidInput } from "@butler/std";
import { describe, expect, it } from "vitest";
import { builtFileName, goPlatform, releaseLocation, selectTools, toolNames, toolsLock } from "./lock-file.ts";

const linux = { os: "linux", arch: "amd64" };

describe("releaseLocation", () => {
  it.each([
    [
      "kube-apiserver",
      {},
      "https://dl.k8s.io/v1.36.3/bin/linux/amd64/kube-apiserver",
      "https://dl.k8s.io/v1.36.3/bin/linux/amd64/kube-apiserver.sha256",
    ],
    [
      "etcd",
      {},
      "https://github.com/etcd-io/etcd/releases/download/v3.7.3/etcd-v3.7.3-linux-amd64.tar.gz",
      "https://github.com/etcd-io/etcd/releases/download/v3.7.3/SHA256SUMS",
    ],
    [
      "kubectl",
      { BUTLER_MIRROR_KUBERNETES: "http://mirror.example/k8s/" },
      "http://mirror.example/k8s/v1.36.3/bin/linux/amd64/kubectl",
      "http://mirror.example/k8s/v1.36.3/bin/linux/amd64/kubectl.sha256",
    ],
    [
      "etcd",
      { BUTLER_MIRROR_ETCD: "https://mirror.example", BUTLER_MIRROR_KUBERNETES: "https://other.example" },
      "https://mirror.example/v3.7.3/etcd-v3.7.3-linux-amd64.tar.gz",
      "https://mirror.example/v3.7.3/SHA256SUMS",
    ],
    [
      "kubectl",
      { BUTLER_MIRROR_KUBERNETES: "" },
      "https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubectl",
      "https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubectl.sha256",
    ],
  ])("finds %s with %o", (name, environment, url, checksumUrl) => {
    const [tool] = selectTools(toolsLock, [name]);
    expect(tool && releaseLocation(tool, linux, environment)).toMatchObject({ url, checksumUrl });
  });

  it("names the archive's file and the program inside it", () => {
    const [etcd] = selectTools(toolsLock, ["etcd"]);
    expect(etcd && releaseLocation(etcd, { os: "linux", arch: "arm64" }, {})).toMatchObject({
      fileName: "etcd-v3.7.3-linux-arm64.tar.gz",
      member: "etcd-v3.7.3-linux-arm64/etcd",
    });
  });

  it("refuses a template with a name that nobody knows", () => {
    const [tool] = selectTools(toolsLock, ["kubectl"]);
    const odd = tool && { ...tool, project: { ...tool.project, path: "{flavour}/x" } };
    expect(() => odd && releaseLocation(odd, linux, {})).toThrow("{flavour}");
  });
});

describe("builtFileName", () => {
  it.each([
    ["go.etcd.io/etcd/server/v3", "server"],
    ["k8s.io/kubernetes/cmd/kube-apiserver", "kube-apiserver"],
    ["sigs.k8s.io/cluster-api/core", "core"],
    ["./coredns", "coredns"],
    ["example.com/v2ray", "v2ray"],
  ])("of %s is %s", (packagePath, expected) => {
    expect(builtFileName(packagePath)).toBe(expected);
  });
});

describe("goPlatform", () => {
  it.each([
    ["linux", "x64", "linux", "amd64"],
    ["darwin", "arm64", "darwin", "arm64"],
    ["win32", "x64", "windows", "amd64"],
    ["linux", "ppc64", "linux", "ppc64le"],
    ["linux", "s390x", "linux", "s390x"],
  ])("turns %s %s into %s %s", (platform, arch, os, goArch) => {
    expect(goPlatform(platform, arch)).toEqual({ os, arch: goArch });
  });
});

describe("selectTools", () => {
  it("gives the tools in order of need, each once", () => {
    const names = selectTools(toolsLock, ["kubectl", "etcd", "kubectl", "kube-apiserver"]).map(({ name }) => name);
    expect(names).toEqual(["etcd", "kube-apiserver", "kubectl"]);
    expect(toolNames).toEqual(["etcd", "kube-apiserver", "kubectl", "kube-controller-manager"]);
  });

  it("refuses a tool that nobody knows and names those it knows", () => {
    expect(() => selectTools(toolsLock, ["kubelet"])).toThrow(InvalidInput);
    expect(() => selectTools(toolsLock, ["kubelet"])).toThrow("kube-controller-manager");
  });
});
