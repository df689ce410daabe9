import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ensureTools } from "../ensure-tools.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { baseFiles } from "./base-files.ts";
import { butlerImage, type ButlerParts } from "./butler-image.ts";
import { removeOtherArchives } from "./butler-image-provision.ts";
import { helmProgramPath, helmRuntime, nodeProgramPath, nodeRuntime } from "./butler-image-runtime.ts";
import { parseImageName } from "./image-name.ts";
import { writeImageArchive } from "./image-writer.ts";
import { fileWith, type LayerEntry } from "./layer-entry.ts";
import { aLink, anElf, inMemoryHost, type MadeUpFile } from "./testing/in-memory-host.ts";
import { unpackImageLayout, unpackTar } from "./testing/image-layout.ts";

const run = promisify(execFile);
const list = (entries: readonly LayerEntry[]): string[] =>
  entries.map((entry) => (entry.kind === "symlink" ? `${entry.path} -> ${entry.target}` : entry.path));

/** A system whose libraries have moved below /usr, with a Node that npm installed. */
const system: Readonly<Record<string, MadeUpFile>> = {
  "/lib64": aLink("usr/lib64"),
  "/usr/lib64/ld.so": anElf(),
  "/usr/lib64/libc.so.6": anElf(),
  "/usr/lib64/libstdc++.so.6": anElf(["libc.so.6"]),
  "/usr/bin/node": anElf(["libold.so.1"]),
  "/home/me/node": anElf(["libstdc++.so.6"], { interpreter: "/lib64/ld.so" }),
  "/etc/ld.so.cache": { text: "cache" },
};

describe("nodeRuntime", () => {
  it("copies the running Node with its libraries, and ignores the distribution's Node", async () => {
    const entries = await nodeRuntime({ host: inMemoryHost(system), program: "/home/me/node" });
    expect(list(entries)).toEqual([
      nodeProgramPath,
      "/lib64 -> usr/lib64",
      "/usr/lib64/ld.so",
      "/usr/lib64/libc.so.6",
      "/usr/lib64/libstdc++.so.6",
      "/usr/share/doc/node/copyright",
    ]);
    expect(entries[0]).toMatchObject({ source: "/home/me/node", mode: 0o755 });
  });

  it("works when the sbin directory is a symlink", async () => {
    const host = inMemoryHost({ ...system, "/usr/sbin": aLink("bin") });
    const entries = await nodeRuntime({ host, program: "/home/me/node" });
    expect(list(entries)).toContain("/usr/lib64/libstdc++.so.6");
    expect(list(entries)).not.toContain("/usr/bin/node");
  });

  it("includes the linker cache if a library would not be found without it, and licenses if present", async () => {
    const host = inMemoryHost({
      ...system,
      "/etc/ld.so.conf": { text: "/opt/gcc/lib\n" },
      "/opt/gcc/lib/libstdc++.so.6": anElf(["libc.so.6"]),
      "/usr/share/doc/libc6/copyright": { text: "terms" },
    });
    const paths = list(await nodeRuntime({ host, program: "/home/me/node" }));
    expect(paths.slice(-3)).toEqual([
      "/etc/ld.so.cache",
      "/usr/share/doc/node/copyright",
      "/usr/share/doc/libc6/copyright",
    ]);
  });

  it("reports what is missing on the machine", async () => {
    const { "/usr/lib64/libstdc++.so.6": _absent, ...rest } = system;
    await expect(nodeRuntime({ host: inMemoryHost(rest), program: "/home/me/node" })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("libstdc++.so.6"),
    });
  });
});

describe("helmRuntime", () => {
  it("installs helm on the PATH, with its license", () => {
    const entries = helmRuntime("/cache/helm", "v4.3.1");
    expect(entries[0]).toMatchObject({ source: "/cache/helm", path: helmProgramPath, mode: 0o755 });
    expect(entries[1]).toMatchObject({ content: expect.stringContaining("/blob/v4.3.1/LICENSE") });
  });
});

const text = (path: string, content: string): { path: string; content: Uint8Array } => ({
  path,
  content: Buffer.from(content),
});
const parts: ButlerParts = {
  base: baseFiles({ caBundle: undefined }),
  runtime: [fileWith(nodeProgramPath, "node", 0o755)],
  bundle: [text("main.js", "one")],
};

describe("butlerImage", () => {
  it("has a tag derived from its contents", async () => {
    const { name } = await butlerImage(parts);
    expect(parseImageName(name)).toEqual({
      registry: "ghcr.io",
      repository: "butlerdotdev/butler",
      tag: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect((await butlerImage({ ...parts })).name).toBe(name);
    const others = await Promise.all([
      butlerImage({ ...parts, bundle: [text("main.js", "two")] }),
      butlerImage({ ...parts, bundle: [text("other.js", "one")] }),
      butlerImage({ ...parts, runtime: [fileWith(nodeProgramPath, "newer node", 0o755)] }),
    ]);
    expect(new Set([name, ...others.map((other) => other.name)]).size).toBe(4);
  });

  it("keeps Node in a layer that does not change with a new bundle", async () => {
    const folder = await temporaryDirectory();
    const written = await Promise.all(
      ["one", "two"].map(async (content) => {
        const image = await butlerImage({ ...parts, bundle: [text("main.js", content)] });
        return writeImageArchive({ ...image, architecture: "amd64", output: join(folder, `${content}.tar`) });
      }),
    );
    const [one, two] = written.map(({ layers }) => layers.map(({ digest }) => digest));
    expect(one?.[0]).toBe(two?.[0]);
    expect(one?.[1]).not.toBe(two?.[1]);
  });
});

describe.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)("the image's files", () => {
  const program = `
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { userInfo } from "node:os";
import { getCACertificates } from "node:tls";
accessSync("/tmp", constants.W_OK);
const { username } = userInfo();
const helm = execFileSync("helm", ["version", "--short"], { env: { PATH: process.env.PATH, HOME: "/tmp" } }).toString();
console.log(JSON.stringify({ version: process.version, helm, username, authorities: getCACertificates("default") }));
`;

  it("contain everything that Node and helm need for an unprivileged user who trusts the image's CAs", async () => {
    const folder = await temporaryDirectory();
    const caBundle = join(folder, "ca.crt");
    const newKey = [
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-keyout",
      join(folder, "ca.key"),
    ];
    await run("openssl", ["req", "-x509", ...newKey, "-out", caBundle, "-subj", "/CN=house", "-days", "2"]);
    const image = await butlerImage({
      base: baseFiles({ caBundle }),
      runtime: [...(await nodeRuntime()), ...helmRuntime((await ensureTools(["helm"])).helm, "v4")],
      bundle: [text("main.js", program), text("package.json", '{"type":"module"}')],
    });
    const output = join(folder, "butler.tar");
    const { layers } = await writeImageArchive({ ...image, architecture: "amd64", output });
    const layout = await unpackImageLayout(output);
    const root = join(folder, "root");
    for (const { digest } of layers) await unpackTar(layout.blobPath(digest), root);
    const { entrypoint = [], user = "", env = {} } = image.config;
    const { stdout } = await run("chroot", [`--userspec=${user}`, root, ...entrypoint], { env: { ...env } });
    const answer = JSON.parse(stdout) as { version: string; username: string; authorities: string[] };
    expect(answer).toMatchObject({
      version: process.version,
      helm: expect.stringMatching(/^v4\./),
      username: "nonroot",
    });
    const trusted = answer.authorities.map((pem) => pem.trim());
    expect(trusted).toContain((await readFile(caBundle, "utf8")).trim());
    expect(trusted.length).toBeGreaterThan(1);
  });
});

describe("removeOtherArchives", () => {
  it("removes only archives of other bundles", async () => {
    const folder = await temporaryDirectory();
    const kept = "ghcr.io_butlerdotdev_butler_0123456789ab.0000000000000000.tar";
    const others = [
      "ghcr.io_butlerdotdev_butler_aaaaaaaaaaaa.1111111111111111.tar",
      "ghcr.io_butlerdotdev_butler_aaaaaaaaaaaa.1111111111111111.tar.digest",
    ];
    const strangers = [
      "ghcr.io_butlerdotdev_butler-node_v1.36.3.tar",
      "ghcr.io_butlerdotdev_butler_v1.tar",
      "registry.k8s.io_pause_3.10.2.tar",
    ];
    for (const name of [kept, `${kept}.digest`, ...others, ...strangers]) await writeFile(join(folder, name), "");
    await removeOtherArchives(folder, "ghcr.io/butlerdotdev/butler:0123456789ab");
    expect((await readdir(folder)).sort()).toEqual([kept, `${kept}.digest`, ...strangers].sort());
  });
});
