import { createHash } from "node:crypto";
import { open, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { type ImageArchive, writeImageArchive } from "./image-writer.ts";
import { fileFrom, fileWith, symlink } from "./layer-entry.ts";
import { unpackImageLayout, unpackTar } from "./testing/image-layout.ts";

async function anImage(overrides: Partial<ImageArchive> = {}): Promise<ImageArchive> {
  return {
    name: "registry.example.com/team/program:v1.2.3",
    layers: [[fileWith("/etc/passwd", "root\n")], [fileWith("/program", "p", 0o755), symlink("/link", "program")]],
    config: {
      entrypoint: ["/program"],
      cmd: ["--help"],
      env: { PATH: "/" },
      user: "65532:65532",
      workingDir: "/",
      exposedPorts: ["53/udp"],
      labels: { made: "here" },
      stopSignal: "SIGTERM",
    },
    architecture: "amd64",
    output: join(await temporaryDirectory(), "image.tar"),
    ...overrides,
  };
}

const sha256 = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

describe("writeImageArchive", () => {
  it("writes an OCI image layout with valid digests", async () => {
    const image = await anImage();
    const written = await writeImageArchive(image);
    const layout = await unpackImageLayout(image.output);
    const [base, top] = written.layers;
    expect(await layout.readJson("oci-layout")).toEqual({ imageLayoutVersion: "1.0.0" });
    expect(await layout.readJson("index.json")).toMatchObject({
      schemaVersion: 2,
      manifests: [
        {
          mediaType: "application/vnd.oci.image.manifest.v1+json",
          digest: written.manifestDigest,
          platform: { architecture: "amd64", os: "linux" },
          annotations: {
            "io.containerd.image.name": image.name,
            "org.opencontainers.image.ref.name": image.name,
          },
        },
      ],
    });
    expect(await layout.readBlob(written.manifestDigest)).toMatchObject({
      config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: written.configDigest },
      layers: [base, top].map((layer) => ({
        mediaType: "application/vnd.oci.image.layer.v1.tar",
        digest: layer?.digest,
        size: layer?.size,
      })),
    });
    expect(await layout.readBlob(written.configDigest)).toEqual({
      created: "1970-01-01T00:00:00Z",
      architecture: "amd64",
      os: "linux",
      config: {
        Entrypoint: ["/program"],
        Cmd: ["--help"],
        Env: ["PATH=/"],
        User: "65532:65532",
        WorkingDir: "/",
        ExposedPorts: { "53/udp": {} },
        Labels: { made: "here" },
        StopSignal: "SIGTERM",
      },
      rootfs: { type: "layers", diff_ids: [base?.diffId, top?.diffId] },
      history: [base, top].map(() => ({ created: "1970-01-01T00:00:00Z", created_by: "butler" })),
    });
    const digests = await layout.blobDigests();
    expect(digests).toHaveLength(4);
    for (const { named, actual } of digests) expect(named).toBe(actual);
  });

  it("records the size of every blob", async () => {
    const image = await anImage();
    const written = await writeImageArchive(image);
    const layout = await unpackImageLayout(image.output);
    const index = (await layout.readJson("index.json")) as { manifests: { digest: string; size: number }[] };
    for (const { digest, size } of [...index.manifests, ...written.layers])
      expect((await readFile(layout.blobPath(digest))).length).toBe(size);
  });

  it("includes a manifest.json for tools that only read docker archives", async () => {
    const image = await anImage();
    const { configDigest, layers } = await writeImageArchive(image);
    const path = (digest: string): string => `blobs/${digest.replace(":", "/")}`;
    expect(await (await unpackImageLayout(image.output)).readJson("manifest.json")).toEqual([
      { Config: path(configDigest), RepoTags: [image.name], Layers: layers.map(({ digest }) => path(digest)) },
    ]);
  });

  it("writes layers that the system's tar unpacks", async () => {
    const image = await anImage();
    const { layers } = await writeImageArchive(image);
    const layout = await unpackImageLayout(image.output);
    const root = await temporaryDirectory();
    for (const { digest } of layers) await unpackTar(layout.blobPath(digest), root);
    expect(await readFile(join(root, "etc/passwd"), "utf8")).toBe("root\n");
    expect(await readFile(join(root, "link"), "utf8")).toBe("p");
  });

  it.each([false, true])("produces identical bytes for the same image (gzip: %s)", async (gzip) => {
    const [one, two] = [await anImage({ gzip }), await anImage({ gzip })];
    await writeImageArchive(one);
    await writeImageArchive(two);
    expect((await readFile(one.output)).equals(await readFile(two.output))).toBe(true);
  });

  it("compresses layers on request, with diff IDs of the uncompressed content", async () => {
    const image = await anImage({ gzip: true, layers: [[fileWith("/zeros", Buffer.alloc(1 << 20))]] });
    const { layers, manifestDigest } = await writeImageArchive(image);
    const layout = await unpackImageLayout(image.output);
    const [layer] = layers;
    const compressed = await readFile(layout.blobPath(layer?.digest ?? ""));
    expect(compressed.length).toBeLessThan(100_000);
    expect(sha256(gunzipSync(compressed))).toBe(layer?.diffId);
    expect(await layout.readBlob(manifestDigest)).toMatchObject({
      layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar+gzip" }],
    });
  });

  it("writes a duplicate layer only once", async () => {
    const layer = [fileWith("/large", Buffer.alloc(3 << 20, "x"))];
    const image = await anImage({ layers: [layer, layer] });
    const { layers } = await writeImageArchive(image);
    const layout = await unpackImageLayout(image.output);
    expect(layers[0]).toEqual(layers[1]);
    expect(await layout.blobDigests()).toHaveLength(3);
    expect((await readFile(image.output)).length).toBeLessThan(4 << 20);
  });

  it("writes an image without layers or configuration", async () => {
    const image = await anImage({ layers: [], config: {} });
    const { configDigest } = await writeImageArchive(image);
    expect(await (await unpackImageLayout(image.output)).readBlob(configDigest)).toMatchObject({
      config: {},
      rootfs: { diff_ids: [] },
    });
  });

  it.each(["pause:3.10", "local/pause:3.10", "registry.k8s.io/pause", "registry.k8s.io/Pause:1", "a.b/c:d e"])(
    "rejects the name %s, which container runtimes would complete or reject",
    async (name) => {
      const image = await anImage({ name });
      await expect(writeImageArchive(image)).rejects.toThrow("not a fully qualified image name");
    },
  );

  it("keeps existing files when it fails, and leaves no partial file", async () => {
    const image = await anImage();
    await writeImageArchive(image);
    const before = await readFile(image.output);
    const source = join(await temporaryDirectory(), "source");
    await writeFile(source, "x");
    const failing = writeImageArchive({
      ...image,
      layers: [[fileWith("/a", "a"), { ...fileFrom(source, "/b"), source: "/proc/self/stat" }]],
    });
    await expect(failing).rejects.toThrow("b changed size");
    expect((await readFile(image.output)).equals(before)).toBe(true);
    expect(await readdir(join(image.output, ".."))).toEqual(["image.tar"]);
  });

  it("removes leftovers of a killed process, but not files of a running one", async () => {
    const image = await anImage();
    const nobody = 2 ** 22 + 1;
    await writeFile(`${image.output}.${nobody}-0a0b.partial`, "half");
    await writeFile(`${image.output}.1-0a0b.partial`, "half");
    await writeImageArchive(image);
    expect((await readdir(join(image.output, ".."))).sort()).toEqual(["image.tar", "image.tar.1-0a0b.partial"]);
  });
});

describe("writeImageArchive of a large file", () => {
  let timer: NodeJS.Timeout | undefined;
  afterEach(() => clearInterval(timer));

  it("uses little memory", async () => {
    const size = 512 << 20;
    const source = join(await temporaryDirectory(), "sparse");
    const file = await open(source, "w");
    await file.truncate(size);
    await file.close();
    const image = await anImage({ layers: [[fileFrom(source, "/sparse")]] });
    const used = (): number => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = used();
    let peak = before;
    timer = setInterval(() => (peak = Math.max(peak, used())), 5);
    const { layers } = await writeImageArchive(image);
    // A header, the content, and two empty blocks.
    expect(layers[0]?.size).toBe(512 + size + 1024);
    expect(peak - before).toBeLessThan(96 << 20);
  });
});
