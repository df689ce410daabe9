import { describe, expect, it } from "vitest";
import { clusterApiImage, coreDnsImage, etcdImage, imageNames, kubernetesImage, pauseImage } from "./engine-images.ts";
import { archiveFileName, parseImageName } from "./image-name.ts";
import { fileWith } from "./layer-entry.ts";

const names = imageNames({ kubernetes: "v1.36.3", etcd: "v3.7.3", coredns: "v1.15.0", clusterApi: "v1.14.2" });
const base = [fileWith("/etc/passwd", "")];

describe("imageNames", () => {
  it("returns the names that upstream's manifests use", () => {
    expect(names).toEqual({
      "kube-apiserver": "registry.k8s.io/kube-apiserver:v1.36.3",
      "kube-controller-manager": "registry.k8s.io/kube-controller-manager:v1.36.3",
      "kube-scheduler": "registry.k8s.io/kube-scheduler:v1.36.3",
      "kube-proxy": "registry.k8s.io/kube-proxy:v1.36.3",
      etcd: "registry.k8s.io/etcd:3.7.3-0",
      coredns: "registry.k8s.io/coredns/coredns:v1.15.0",
      pause: "registry.k8s.io/pause:3.10.2",
      "cluster-api-controller": "registry.k8s.io/cluster-api/cluster-api-controller:v1.14.2",
      "kubeadm-bootstrap-controller": "registry.k8s.io/cluster-api/kubeadm-bootstrap-controller:v1.14.2",
      "butler-node": "ghcr.io/butlerdotdev/butler-node:v1.36.3",
    });
    for (const name of Object.values(names)) expect(parseImageName(name).tag).not.toBe("");
  });
});

describe("archiveFileName", () => {
  it("creates a unique file name for each image name", () => {
    expect(archiveFileName("localhost:5000/a/b:v1")).toBe("localhost_5000_a_b_v1.tar");
    expect(new Set(Object.values(names).map(archiveFileName)).size).toBe(Object.keys(names).length);
  });
});

describe("images of one program", () => {
  it.each([
    [
      "kube-apiserver",
      kubernetesImage("kube-apiserver", { name: "n", program: "/p", base }),
      "/usr/local/bin/kube-apiserver",
    ],
    ["kube-proxy", kubernetesImage("kube-proxy", { name: "n", program: "/p", base }), "/usr/local/bin/kube-proxy"],
    ["etcd", etcdImage({ name: "n", program: "/p", base }), "/usr/local/bin/etcd"],
    ["coredns", coreDnsImage({ name: "n", program: "/p", base }), "/coredns"],
    ["a Cluster API manager", clusterApiImage({ name: "n", program: "/p", base }), "/manager"],
    ["pause", pauseImage({ name: "n", program: "/p" }), "/pause"],
  ])("start %s, which every user may execute", (_what, image, path) => {
    expect(image.config.entrypoint).toEqual([path]);
    expect(image.layers.at(-1)).toContainEqual({ kind: "source-file", source: "/p", path, mode: 0o755 });
  });

  it("run Cluster API as an unprivileged user", () => {
    expect(clusterApiImage({ name: "n", program: "/p", base }).config.user).toBe("65532:65532");
  });
});
