import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeScratchCopy } from "../mutations/scratch-copy.ts";
import { repositoryRoot } from "../steps.ts";
import { shapes } from "./all-shapes.ts";
import { create } from "./create.ts";
import { ScaffoldRefusal } from "./scaffold.ts";

const run = promisify(execFile);
const name = "backup-policy";
/** A type in ProviderConfig that has no machine provider yet. */
const providerType = "proxmox";
const named = shapes.map((shape) => [shape.name, shape.name === "provider" ? providerType : name] as const);

let parent: string;
let copy: string;
/** The paths written for each shape. */
const written = new Map<string, readonly string[]>();

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "scaffolds-"));
  copy = join(parent, "copy");
  await makeScratchCopy(repositoryRoot, copy);
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const all = (): string[] => [...new Set([...written.values()].flat())];

/** Runs an installed program in the copy; the result is empty when it succeeds, and else its output. */
async function outputOfFailure(...args: readonly string[]): Promise<string> {
  // Not the environment of this test, which itself runs in vitest.
  const { PATH = "", HOME = "" } = process.env;
  try {
    await run(process.execPath, args, { cwd: copy, env: { PATH, HOME }, maxBuffer: 16 * 1024 * 1024 });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    return `${stdout}${stderr}` || String(error);
  }
}

describe("a scaffold", () => {
  it("is rejected while what it builds on does not exist, and for unknown shapes and bad names", async () => {
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [["controller", name], `create it first: npm run new -- kind ${name}`],
      [["route", name], `create it first: npm run new -- kind ${name}`],
      [["command", name], `create it first: npm run new -- kind ${name}`],
      [["page", name], `create them first: npm run new -- route ${name}`],
      [["kind", "data-store"], "the name is taken: found packages/api/src/steward/data-store.ts"],
      [["provider", name], `provider type ${name} not found`],
      [["kind", "BackupPolicy"], `such as ${name}`],
      [["kind"], "usage: npm run new -- kind|controller"],
      [["operator", name], "usage: npm run new -- kind|controller"],
    ];
    for (const [words, message] of refusals) {
      const attempt = create(copy, words);
      await expect(attempt).rejects.toBeInstanceOf(ScaffoldRefusal);
      await expect(attempt).rejects.toThrow(message);
    }
  });

  it.each(named)("of a %s is created, formatted and listed", async (shape, called) => {
    const { paths, nextSteps } = await create(copy, [shape, called]);
    written.set(shape, paths);
    expect(nextSteps.length).toBeGreaterThan(1);
    expect(paths.filter((path) => !existsSync(join(copy, path)))).toEqual([]);
    const texts = await Promise.all(paths.map((path) => readFile(join(copy, path), "utf8")));
    for (const text of texts) expect(text.split("\n").length).toBeLessThan(400);
    expect(paths.some((path) => path.endsWith(".test.ts") || path.endsWith(".test.tsx"))).toBe(true);
  });

  it.each(named)("of a %s is rejected when the name is taken, and writes nothing", async (shape, called) => {
    const before = await Promise.all(all().map((path) => readFile(join(copy, path), "utf8")));
    await expect(create(copy, [shape, called])).rejects.toThrow("the name is taken");
    expect(await Promise.all(all().map((path) => readFile(join(copy, path), "utf8")))).toEqual(before);
  });
});

describe("scaffolds of every shape", () => {
  it("pass the type check", { timeout: 180_000 }, async () => {
    const tsc = "node_modules/typescript-native/bin/tsc";
    // As npm install does.
    await symlink(`../../providers/${providerType}`, join(copy, "node_modules/@butler", `provider-${providerType}`));
    const include = all().filter((path) => path.endsWith(".ts") && !path.startsWith("apps/console/"));
    await writeFile(join(copy, "tsconfig.new.json"), JSON.stringify({ extends: "./tsconfig.json", include }));
    const pages = { extends: "./tsconfig.json", include: ["src/main.tsx", ...pagePaths()] };
    await writeFile(join(copy, "apps/console/tsconfig.new.json"), JSON.stringify(pages));
    const projects = ["tsconfig.new.json", "apps/console/tsconfig.new.json"];
    expect(await Promise.all(projects.map((project) => outputOfFailure(tsc, "-p", project)))).toEqual(["", ""]);
  });

  it("pass their own tests, and those of the lists they are in", { timeout: 180_000 }, async () => {
    const tests = all().filter(
      (path) => /\.test\.tsx?$/.test(path) && path !== "apps/server/src/permissions.cluster.test.ts",
    );
    expect(tests).toHaveLength(7);
    const lists = ["packages/api/src/all-resources.test.ts", "apps/console/src/app/visits.test.ts"];
    expect(await outputOfFailure("node_modules/vitest/vitest.mjs", "run", ...tests, ...lists)).toBe("");
  });
});

function pagePaths(): string[] {
  return all().flatMap((path) => (path.startsWith("apps/console/") ? [path.slice("apps/console/".length)] : []));
}
