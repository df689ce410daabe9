import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "../roles.ts";
import { bomFile } from "./bom.ts";
import { bomFaults } from "./testing/bom-faults.ts";
import { type Bundle, bundleButler, bundleMain, bundleNotices, bundleProgram } from "./bundle.ts";
import { packageFolders } from "./notices.ts";

let folder: string;
let butler: Bundle;
let app: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-bundle-"));
  butler = await bundleButler();
  app = await write(butler, "app");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write({ files }: Bundle, name: string): Promise<string> {
  const path = join(folder, name);
  await writeTexts(path, Object.fromEntries(files.map((file) => [file.path, file.content])));
  return path;
}

async function writeTexts(root: string, texts: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

interface Ending {
  readonly code: number;
  readonly output: string;
}

/** Runs Node in a clean environment. */
function runNode(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ending> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd: folder, env: environment }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr }),
    );
  });
}

/** The files that are loaded with a file because of static imports, directly or transitively. */
function loadedWith({ outputs }: Bundle, file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const { path, kind, external } of outputs[file]?.imports ?? []) {
    if (kind === "import-statement" && external !== true) loadedWith({ outputs, files: [], packages: [] }, path, known);
  }
  return known;
}

/** The output file that starts with a module, by the module's path. */
function fileOf({ outputs }: Bundle, entryPoint: string): string {
  const [found] = Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint) ?? [];
  return found ?? expect.fail(`${entryPoint} has no file of its own`);
}

function digestsOf({ files }: Bundle): Record<string, string> {
  return Object.fromEntries(
    files.map(({ path, content }) => [path, createHash("sha256").update(content).digest("hex")]),
  );
}

/** Most roles are assembled here; the gateway is a separate role. */
const moduleOf = (role: string): string =>
  role === "sni-gateway" ? "controllers/steward/src/sni-gateway/index.ts" : `apps/butler/src/${role}.ts`;

/** Starts a role until all of its code is loaded, and returns the loaded files. */
async function filesLoadedBy(role: string): Promise<string[]> {
  const [hook, log, kubeconfig] = ["hook.mjs", `${role}.log`, "kubeconfig"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeTexts(folder, {
    "hook.mjs": `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) {
  if (url.startsWith("file:")) appendFileSync(process.env.LOADED, url + "\\n");
  return next(url, context);
} });`,
    [`${role}.log`]: "",
    kubeconfig: JSON.stringify({
      clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }],
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      users: [{ name: "u", user: {} }],
      "current-context": "c",
    }),
  });
  const flags = ["--kubeconfig", kubeconfig, "--no-such-flag"];
  const { code, output } = await runNode(["--import", hook, join(app, bundleMain), role, ...flags], { LOADED: log });
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("--no-such-flag") });
  const urls = (await readFile(log, "utf8")).trim().split("\n");
  return urls.map((url) => relative(app, fileURLToPath(url))).filter((path) => !path.startsWith(".."));
}

describe("the bundle of butler", () => {
  it("runs without node_modules, and prints its usage", async () => {
    const { code, output } = await runNode([join(app, bundleMain)]);
    expect(code).toBe(2);
    for (const role of Object.keys(roles)) expect(output).toContain(role);
  });

  it.each(Object.keys(roles))("loads only what this role needs for %s", async (role) => {
    const loaded = await filesLoadedBy(role);
    const others = Object.keys(roles).filter((other) => other !== role);
    expect(loaded).toContain(fileOf(butler, moduleOf(role)));
    for (const other of others) expect(loaded).not.toContain(fileOf(butler, moduleOf(other)));
    const needed = [bundleMain, fileOf(butler, "apps/butler/src/run-role.ts"), fileOf(butler, moduleOf(role))].map(
      (file) => loadedWith(butler, file),
    );
    expect(loaded.sort()).toEqual([...new Set(needed.flatMap((files) => [...files]))].sort());
  });

  it("prints its usage without loading a role", () => {
    expect([...loadedWith(butler, bundleMain)].some((file) => (butler.outputs[file]?.bytes ?? 0) > 10_000)).toBe(false);
  });

  it("names the license of every package in it", async () => {
    const inputs = Object.values(butler.outputs).flatMap((output) => Object.keys(output.inputs));
    const notices = await readFile(join(app, bundleNotices), "utf8");
    const packages = packageFolders(inputs);
    expect(packages.length).toBeGreaterThan(10);
    for (const path of packages) expect(notices).toContain(path.split("node_modules/").at(-1));
    expect(notices).not.toMatch(/\((undefined|see below)\)/);
  });

  it("contains a valid bill of materials of every package in it", async () => {
    const bom: unknown = JSON.parse(await readFile(join(app, bomFile), "utf8"));
    expect(bomFaults(bom)).toEqual([]);
    const inputs = Object.values(butler.outputs).flatMap((output) => Object.keys(output.inputs));
    const listed = (bom as { components: { name: string }[] }).components.map(({ name }) => name);
    for (const path of packageFolders(inputs)) expect(listed).toContain(path.split("node_modules/").at(-1));
  });

  it("is reproducible and independent of the build directory", async () => {
    expect(digestsOf(await bundleButler())).toEqual(digestsOf(butler));
    for (const { content } of butler.files) expect(Buffer.from(content).includes(process.cwd())).toBe(false);
  });
});

/** Two roles, each with its own package and module, and one shared module. */
const twoRoles = {
  "main.ts": `const roles: Record<string, () => Promise<unknown>> = { a: () => import("./a.ts"), b: () => import("./b.ts") };
await roles[process.argv[2] ?? ""]?.();`,
  "a.ts": `import { shared } from "./shared.ts";\nimport old from "old";\nconsole.log(shared, old.name);`,
  "b.ts": `import { shared } from "./shared.ts";\nimport { fail } from "./fail.ts";\nfail(shared);`,
  "shared.ts": `export const shared: string = "shared by " + ["both"].join();`,
  "fail.ts": `export class DoesNotWork extends Error {}\n\nexport function fail(message: string): never {\n  throw new DoesNotWork(message);\n}`,
  "node_modules/old/package.json": `{ "name": "old", "version": "1.2.3", "license": "MIT", "main": "index.js" }`,
  "node_modules/old/index.js": `exports.name = require("node:path").basename("/x/old");`,
};

describe("bundleProgram", () => {
  it("produces identical bytes wherever the sources are", async () => {
    const bundles = await Promise.all(
      ["here", "some/where/else"].map(async (place) => {
        await writeTexts(join(folder, place), twoRoles);
        return bundleProgram({ root: join(folder, place), entry: "main.ts" });
      }),
    );
    const [one, other] = bundles.map(digestsOf);
    expect(one).toEqual(other);
  });

  it("runs CommonJS packages", async () => {
    await writeTexts(join(folder, "sources"), twoRoles);
    const path = await write(await bundleProgram({ root: join(folder, "sources"), entry: "main.ts" }), "two-roles");
    expect(await runNode([join(path, "main.js"), "a"])).toEqual({ code: 0, output: "shared by both old\n" });
  });

  it("keeps names in stack traces, and has source maps that point to the sources", async () => {
    await writeTexts(join(folder, "sources"), twoRoles);
    const path = await write(await bundleProgram({ root: join(folder, "sources"), entry: "main.ts" }), "two-roles");
    const plain = await runNode([join(path, "main.js"), "b"]);
    expect(plain.output).toMatch(/DoesNotWork.*: shared by both\n\s+at fail \(/);
    const mapped = await runNode(["--enable-source-maps", join(path, "main.js"), "b"]);
    expect(mapped.output).toMatch(/at fail \(.*fail\.ts:4:9\)/);
  });

  it("fails and names the problem when a source cannot be read", async () => {
    await writeTexts(join(folder, "broken"), { "main.ts": `import "./absent.ts";` });
    await expect(bundleProgram({ root: join(folder, "broken"), entry: "main.ts" })).rejects.toThrow("./absent.ts");
  });
});
