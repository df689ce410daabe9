import { InvalidInput } from "@butler/std";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { engineDirectory } from "./tool-set.ts";
import {
  builtFileName,
  expectedOutputOf,
  goPlatform,
  releaseLocation,
  selectTools,
  toolNames,
  toolsLock,
} from "./lock-file.ts";
import { aToolsLock } from "./testing/fake-tool.ts";

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
    [
      "ctr",
      {},
      "https://github.com/containerd/containerd/releases/download/v2.3.7/containerd-static-2.3.7-linux-amd64.tar.gz",
      "https://github.com/containerd/containerd/releases/download/v2.3.7/containerd-static-2.3.7-linux-amd64.tar.gz.sha256sum",
    ],
    [
      "runc",
      { BUTLER_MIRROR_RUNC: "https://mirror.example/runc" },
      "https://mirror.example/runc/v1.5.2/runc.amd64",
      "https://mirror.example/runc/v1.5.2/runc.sha256sum",
    ],
    [
      "host-local",
      {},
      "https://github.com/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz",
      "https://github.com/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz.sha256",
    ],
    [
      "coredns",
      {},
      "https://github.com/coredns/coredns/releases/download/v1.15.0/coredns_1.15.0_linux_amd64.tgz",
      "https://github.com/coredns/coredns/releases/download/v1.15.0/coredns_1.15.0_linux_amd64.tgz.sha256",
    ],
    [
      "helm",
      {},
      "https://get.helm.sh/helm-v4.3.1-linux-amd64.tar.gz",
      "https://get.helm.sh/helm-v4.3.1-linux-amd64.tar.gz.sha256sum",
    ],
  ])("finds %s with %o", (name, environment, url, checksumUrl) => {
    const [tool] = selectTools(toolsLock, [name]);
    expect(tool && releaseLocation(tool, linux, environment)).toMatchObject({ url, checksumUrl });
  });

  it("names the archive's file and the program in it", () => {
    const [etcd] = selectTools(toolsLock, ["etcd"]);
    expect(etcd && releaseLocation(etcd, { os: "linux", arch: "arm64" }, {})).toMatchObject({
      fileName: "etcd-v3.7.3-linux-arm64.tar.gz",
      member: "etcd-v3.7.3-linux-arm64/etcd",
    });
  });

  it("uses the size of the archive if it contains several programs", () => {
    const [kubectl, bridge] = selectTools(toolsLock, ["kubectl", "bridge"]).toReversed();
    expect(kubectl && bridge && [kubectl, bridge].map((tool) => releaseLocation(tool, linux, {})?.megabytes)).toEqual([
      60, 55,
    ]);
  });

  it.each(["capi-core", "capi-kubeadm-bootstrap", "kwok"])("finds no release of %s", (name) => {
    const [tool] = selectTools(toolsLock, [name]);
    expect(tool && releaseLocation(tool, linux, {})).toBeUndefined();
  });

  it("rejects a template with an unknown variable", () => {
    const [tool] = selectTools(aToolsLock(["one"], { path: "{flavour}/x" }), ["one"]);
    expect(() => tool && releaseLocation(tool, linux, {})).toThrow("{flavour}");
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

describe("the lock file", () => {
  const tools = selectTools(toolsLock, toolNames);

  it("lists what a starting engine needs first", () => {
    const wanted = [
      "etcd",
      "containerd",
      "runc",
      "bridge",
      "kube-apiserver",
      "kubelet",
      "kube-proxy",
      "coredns",
      "kwok",
    ];
    expect(toolNames.filter((name) => wanted.includes(name))).toEqual(wanted);
  });

  it("contains packages that its Go modules pin, at the same version", async () => {
    for (const tool of tools) {
      const goMod = await readFile(join(engineDirectory, tool.module.directory, "go.mod"), "utf8");
      const modulePath = tool.package === "./coredns" ? "github.com/coredns/coredns" : tool.package;
      const pinned = [...goMod.matchAll(/^(?:require)?\s+(\S+) (v\S+)/gm)].find(
        ([, path = "-"]) => modulePath === path || modulePath.startsWith(`${path}/`),
      );
      expect([tool.name, pinned?.[2]]).toEqual([tool.name, tool.version]);
    }
  });

  it("stamps programs with the version that is checked later", () => {
    for (const { name, project, version } of tools) {
      const stamped = Object.values(project.linkValues).filter((value) => value.startsWith("v"));
      expect([name, ...new Set(stamped)]).toEqual(stamped.length === 0 ? [name] : [name, version]);
    }
  });
});

describe("expectedOutputOf", () => {
  it("is the version number, unless the lock file says more", () => {
    const [runc, kubectl] = selectTools(toolsLock, ["kubectl", "runc"]);
    expect(kubectl && expectedOutputOf(kubectl)).toEqual(["1.36.3"]);
    expect(runc && expectedOutputOf(runc)).toEqual(["1.5.2", "libseccomp:"]);
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
  it("returns the tools in order of need, without duplicates", () => {
    const names = selectTools(toolsLock, ["kubectl", "etcd", "kubectl", "kube-apiserver"]).map(({ name }) => name);
    expect(names).toEqual(["etcd", "kube-apiserver", "kubectl"]);
  });

  it("rejects an unknown tool and lists the known ones", () => {
    expect(() => selectTools(toolsLock, ["kubelot"])).toThrow(InvalidInput);
    expect(() => selectTools(toolsLock, ["kubelot"])).toThrow("kube-controller-manager");
  });

  it.each([
    ["project", { projects: {} }],
    ["module", { modules: {} }],
  ])("rejects a lock file that lacks a %s", (what, change) => {
    expect(() => selectTools({ ...toolsLock, ...change }, ["etcd"])).toThrow(`has no ${what}`);
  });
});
