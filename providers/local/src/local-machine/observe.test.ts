import { ButlerConfig, type LocalMachine } from "@butler/api";
import { Cluster, clusterNameLabel, Machine } from "@butler/api-external";
import type { CacheReader } from "@butler/controller";
import { builtinKinds, type Kind, kindId, keyText, type KubeObject, parseObject } from "@butler/resource";
import { aSecret } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { nodeImagesFrom } from "../ports/node-images.ts";
import { aCluster, aLocalMachine, aMachine } from "../testing/objects.ts";
import { observe } from "./observe.ts";

const digest = `registry.example.com/butler-node@sha256:${"a".repeat(64)}`;

/** Caches with the given objects in them. */
function cachesWith(...entries: readonly (readonly [Kind, KubeObject])[]): CacheReader {
  const get = (kind: Kind, key: { name: string; namespace?: string | undefined }): KubeObject | undefined =>
    entries.find(([each, { metadata }]) => kindId(each) === kindId(kind) && keyText(metadata) === keyText(key))?.[1];
  return { get, list: () => [], byIndex: () => [] } as unknown as CacheReader;
}

function look(read: CacheReader, primary: LocalMachine = aLocalMachine()) {
  const ports = { nodeImages: nodeImagesFrom("example.com/node") };
  return observe({ primary, read, ports, now: new Date(0), signal: new AbortController().signal });
}

const data = (value: Record<string, string>) =>
  aSecret({ name: "blue-1", labels: { [clusterNameLabel]: "blue" }, data: value });

describe("observing a machine", () => {
  it("finds Machine, Cluster, script and image", () => {
    const secret = data({ value: '## template: jinja\n#cloud-config\nruncmd: ["echo {{ v1.local_hostname }}"]\n' });
    const seen = look(cachesWith([Machine, aMachine()], [Cluster, aCluster()], [builtinKinds.Secret, secret]));
    expect(seen).toMatchObject({ machine: aMachine(), cluster: aCluster(), hostname: "blue-1" });
    expect(seen.image).toBe("example.com/node:v1.36.3");
    expect(seen.bootstrap).toMatchObject({ kind: "script", script: expect.stringContaining("echo blue-1\n") });
  });

  it.each<[string, readonly (readonly [Kind, KubeObject])[], string]>([
    ["no Machine", [], "waiting for the bootstrap provider to create the bootstrap data"],
    [
      "no name of a Secret",
      [[Machine, aMachine({ spec: { bootstrap: {} } })]],
      "waiting for the bootstrap provider to create the bootstrap data",
    ],
    ["no Secret", [[Machine, aMachine()]], 'Secret blue-1 with the cluster label and the key "value"'],
    [
      "a Secret without data",
      [
        [Machine, aMachine()],
        [builtinKinds.Secret, data({ format: "x" })],
      ],
      "waiting for Secret blue-1",
    ],
  ])("finds no data with %s", (_what, entries, message) => {
    const { bootstrap } = look(cachesWith(...entries));
    expect(bootstrap).toEqual({ kind: "missing", message: expect.stringContaining(message) });
  });

  it("uses the Secret of the bootstrap object while the Machine names none, and no other Secret", () => {
    const configRef = { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "KubeadmConfig", name: "blue-1" };
    const machine = aMachine({ spec: { bootstrap: { configRef } } });
    const owner = { apiVersion: "bootstrap.cluster.x-k8s.io/v1beta2", kind: "KubeadmConfig", name: "blue-1", uid: "u" };
    const made = (ownerReferences: object[]): KubeObject => {
      const secret = data({ value: "#cloud-config\nruncmd: [ls]\n" });
      return { ...secret, metadata: { ...secret.metadata, ownerReferences } } as KubeObject;
    };
    const kindOf = (secret: KubeObject): string =>
      look(cachesWith([Machine, machine], [builtinKinds.Secret, secret])).bootstrap.kind;
    expect(kindOf(made([owner]))).toBe("script");
    expect(kindOf(made([{ ...owner, name: "red-1" }]))).toBe("missing");
    expect(kindOf(made([{ ...owner, kind: "Cluster" }]))).toBe("missing");
    expect(kindOf(made([]))).toBe("missing");
  });

  it("reads the format from the Secret", () => {
    const secret = data({ value: "{}", format: "ignition" });
    const { bootstrap } = look(cachesWith([Machine, aMachine()], [builtinKinds.Secret, secret]));
    expect(bootstrap).toMatchObject({ kind: "refused", message: expect.stringContaining("ignition") });
  });

  it("sets a valid host name", () => {
    const ownerReferences = [{ apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Machine", name: "blue.1", uid: "u" }];
    const seen = look(cachesWith([Machine, aMachine({ name: "blue.1" })]), aLocalMachine({ ownerReferences }));
    expect(seen.machine?.metadata.name).toBe("blue.1");
    expect(seen.hostname).toBe("blue-1");
  });

  it.each<[string, LocalMachine, Machine, string | undefined]>([
    ["its own image", aLocalMachine({ spec: { image: "mine:1" } }), aMachine(), "mine:1"],
    ["the version's", aLocalMachine(), aMachine({ spec: { version: "v1.36.3+x.1" } }), "example.com/node:v1.36.3_x.1"],
    ["none without a version", aLocalMachine(), aMachine({ spec: { version: undefined } }), undefined],
  ])("uses %s", (_what, primary, machine, image) => {
    expect(look(cachesWith([Machine, machine]), primary).image).toBe(image);
  });

  it.each([
    ["an image that the platform lists", [digest], digest, undefined],
    ["an image of which it lists another digest", [digest.replace("aa", "bb")], digest, "is not in spec.localMachines"],
    ["an image that it does not list", [digest], "evil.example/root:1", "image evil.example/root:1 is not in"],
    ["an image while it lists none", undefined, digest, "is not in"],
    ["no image of its own", undefined, undefined, undefined],
  ])("judges %s again", (_what, allowedImages, image, fault) => {
    const config = parseObject(ButlerConfig, {
      apiVersion: ButlerConfig.apiVersion,
      kind: ButlerConfig.kind,
      metadata: { name: "butler" },
      spec: allowedImages === undefined ? {} : { localMachines: { allowedImages } },
    });
    const primary = aLocalMachine({ spec: image === undefined ? {} : { image } });
    const { imageFault } = look(cachesWith([ButlerConfig, config], [Machine, aMachine()]), primary);
    if (fault === undefined) expect(imageFault).toBeUndefined();
    else expect(imageFault).toContain(fault);
  });
});
