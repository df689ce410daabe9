import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");

async function filesMatching(pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: root, exclude: (name) => name.includes("node_modules") }))
    paths.push(path);
  return paths.sort();
}

async function inSources(pattern: RegExp): Promise<string[]> {
  const files = (await filesMatching("{packages,engine}/**/src/**/*.ts")).filter((path) => !path.endsWith(".test.ts"));
  const found = new Set<string>();
  for (const file of files) for (const [, match = ""] of (await read(file)).matchAll(pattern)) found.add(match);
  return [...found].sort();
}

async function inFirstColumn(page: string): Promise<string[]> {
  return [...(await read(page)).matchAll(/^\| `([^`]+)`/gm)].map(([, match = ""]) => match).sort();
}

describe("the documentation", () => {
  it("lists every error code, and none that is gone", async () => {
    expect(await inFirstColumn("docs/errors.md")).toEqual(await inSources(/code(?:: string)? = "([A-Z_]+)"/g));
  });

  it("lists every metric, and none that is gone", async () => {
    const named = await inSources(/(?:counter|gauge|histogram)\(\s*"(butler_[a-z_]+)"/g);
    const byConstant = await inSources(/Name = "(butler_[a-z_]+)"/g);
    expect(await inFirstColumn("docs/metrics.md")).toEqual([...new Set([...named, ...byConstant])].sort());
  });

  it("has no link that leads nowhere", async () => {
    const pages = await filesMatching("{*.md,docs/**/*.md,adr/*.md,engine/*.md,test/**/*.md}");
    const broken: string[] = [];
    for (const page of pages) {
      const prose = (await read(page)).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");
      for (const [, target = ""] of prose.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        if (!existsSync(join(root, dirname(page), target))) broken.push(`${page}: ${target}`);
      }
    }
    expect(pages.length).toBeGreaterThan(30);
    expect(broken).toEqual([]);
  });

  it("opens every package with a sentence on what it is for", async () => {
    const packages = await filesMatching("{packages/*,engine}/src/index.ts");
    const silent: string[] = [];
    for (const file of packages) if (!/^\/\*\*[\s\S]{40,}?\*\//.test(await read(file))) silent.push(file);
    expect(packages.length).toBeGreaterThanOrEqual(8);
    expect(silent).toEqual([]);
  });

  it("names only npm scripts that exist, and the check before a change runs the test command of the README", async () => {
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
