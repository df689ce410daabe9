import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { anchorsOf, linksOf } from "../../tools/markdown/links.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");

async function filesMatching(pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: root, exclude: (name) => name.includes("node_modules") }))
    paths.push(path);
  return paths.sort();
}

async function inSources(find: (text: string) => readonly string[]): Promise<string[]> {
  const files = await filesMatching("{apps,controllers,engine,packages,providers}/**/src/**/*.ts");
  const found = new Set<string>();
  for (const file of files.filter((path) => !/\.test\.ts$|\/testing\//.test(path))) {
    for (const match of find(await read(file))) found.add(match);
  }
  return [...found].sort();
}

/** Names and types of the metrics that a file makes, whether their names stand in place or in a constant. */
function metricsIn(text: string): string[] {
  const constants = new Map(
    [...text.matchAll(/const (\w+) = "(butler_\w+)"/g)].map(([, name, value]) => [name, value]),
  );
  const calls = text.matchAll(/\.(counter|gauge|histogram)\(\s*(?:"(butler_\w+)"|(\w+))/g);
  return [...calls].map(([, type, name, constant]) => `${name ?? constants.get(constant) ?? constant} ${type}`);
}

/** The rows of a page's table whose first column has a name: as many columns as are asked for, with a space between. */
async function inColumns(page: string, count: number): Promise<string[]> {
  const rows = (await read(page)).split("\n").filter((line) => line.startsWith("| `"));
  const columnsOf = (row: string): string[] => row.split("|").map((cell) => cell.trim().replaceAll("`", ""));
  return rows
    .map((row) =>
      columnsOf(row)
        .slice(1, count + 1)
        .join(" "),
    )
    .sort();
}

/** What is wrong with the links of a page. */
async function brokenLinks(page: string): Promise<string[]> {
  const broken: string[] = [];
  for (const { line, path, anchor } of linksOf(await read(page))) {
    const target = path === "" ? page : join(dirname(page), path);
    const at = `${page}:${line}`;
    if (target.startsWith("..")) broken.push(`${at}: ${path} is outside the repository`);
    else if (!existsSync(join(root, target))) broken.push(`${at}: ${path} does not exist`);
    else if (anchor !== undefined && target.endsWith(".md") && !anchorsOf(await read(target)).has(anchor))
      broken.push(`${at}: ${target} has no heading #${anchor}`);
  }
  return broken;
}

describe("the documentation", () => {
  it("lists exactly the existing error codes", async () => {
    const codes = (text: string) => [...text.matchAll(/code(?:: string)? = "([A-Z_]+)"/g)].map(([, code = ""]) => code);
    expect(await inColumns("docs/errors.md", 1)).toEqual(await inSources(codes));
  });

  it("lists exactly the existing metrics, with their types", async () => {
    expect(await inColumns("docs/metrics.md", 2)).toEqual(await inSources(metricsIn));
  });

  it("has no broken links", async () => {
    const pages = await filesMatching(
      "{*.md,{adr,apps,controllers,deploy,docs,engine,packages,providers,test}/**/*.md}",
    );
    expect(pages.length).toBeGreaterThan(50);
    expect((await Promise.all(pages.map(brokenLinks))).flat()).toEqual([]);
  });

  it("has a description at the top of every package", async () => {
    const packages = await filesMatching("{controllers/*,engine,packages/*,providers/*}/src/index.ts");
    const silent: string[] = [];
    for (const file of packages) if (!/^\/\*\*[\s\S]{40,}?\*\//.test(await read(file))) silent.push(file);
    expect(packages.length).toBeGreaterThanOrEqual(13);
    expect(silent).toEqual([]);
  });

  it("mentions only existing npm scripts, and CI runs the test command of the README", async () => {
    const { scripts } = JSON.parse(await read("package.json")) as { scripts: Record<string, string> };
    const readme = await read("README.md");
    const named = [...readme.matchAll(/npm (?:run )?(start|test|check|generate|bench|format)\b/g)].map(
      ([, name = ""]) => name,
    );
    expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
    expect(readme).toMatch(/^npm test$/m);
    expect(await read(".ci/run")).toMatch(/^npm run check\nnpm test$/m);
  });
});
