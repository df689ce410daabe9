import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin } from "esbuild";
import { repositoryRoot } from "../steps.ts";

/** A name that a file exports, and the file that defines it. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

const importStatement = /^import \{([^}]*)\} from "(@butler\/[^"]+)";$/gm;
const reexportStatement = /^export (?:\*|\{([^}]*)\}) from "((?:\.|@butler\/)[^"]+)";$/gm;
const localExports = /^export \{([^}]*)\};$/gm;
const declaration = /^export (?:async |abstract |declare )*(?:const|let|function\*?|class) (\w+)/gm;

/**
 * Resolves imports from our own packages to the file that defines the value. A package's index leads to all of its
 * files, and a bundler includes everything that an index leads to for every importer.
 */
export const straightImports: Plugin = {
  name: "straight-imports",
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/(apps|packages)\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => ({
      contents: straighten(readFileSync(path, "utf8")),
      loader: "ts",
    }));
  },
};

/** The same source with imports from files instead of those from our packages. */
export function straighten(source: string): string {
  return source.replaceAll(importStatement, (statement, names: string, from: string) => {
    const index = indexOf(from);
    if (index === undefined) return statement;
    const origins = exportsOf(index);
    return namesIn(names)
      .map(({ name, alias }) => {
        const origin = origins.get(name);
        if (origin === undefined) return `import { ${name} as ${alias} } from "${from}";`;
        return `import { ${origin.name} as ${alias} } from ${JSON.stringify(origin.file)};`;
      })
      .join("");
  });
}

/** A name in a statement, and its local alias. */
interface Name {
  readonly name: string;
  readonly alias: string;
}

/** The names in a statement that are values. */
function namesIn(list: string): Name[] {
  const values = list.split(",").map((part) => part.trim());
  return values
    .filter((part) => part !== "" && !part.startsWith("type "))
    .map((part) => {
      const [name = "", alias = name] = part.split(" as ");
      return { name, alias };
    });
}

/** The file from which a package exports a name. */
function indexOf(from: string): string | undefined {
  const [scope, name, ...below] = from.split("/");
  const folder = join(repositoryRoot, "packages", name ?? "");
  if (scope !== "@butler") return undefined;
  try {
    const file = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { exports?: Record<string, string> };
    const path = file.exports?.[below.length === 0 ? "." : `./${below.join("/")}`];
    return path?.endsWith(".ts") ? join(folder, path) : undefined;
  } catch {
    // Not one of our packages: not changed.
    return undefined;
  }
}

const known = new Map<string, ReadonlyMap<string, Origin>>();

function exportsOf(file: string): ReadonlyMap<string, Origin> {
  const found = known.get(file) ?? readExports(file);
  known.set(file, found);
  return found;
}

function readExports(file: string): ReadonlyMap<string, Origin> {
  const source = readFileSync(file, "utf8");
  const origins = new Map<string, Origin>();
  const passOn = (from: string, names: readonly Name[] | undefined): void => {
    const path = from.startsWith(".") ? resolve(dirname(file), from) : indexOf(from);
    const below = path === undefined ? new Map<string, Origin>() : exportsOf(path);
    for (const { name, alias } of names ?? [...below.keys()].map((each) => ({ name: each, alias: each }))) {
      const origin = below.get(name);
      if (origin !== undefined) origins.set(alias, origin);
    }
  };
  for (const [, name = ""] of source.matchAll(declaration)) origins.set(name, { file, name });
  for (const [, list, from = ""] of source.matchAll(reexportStatement)) {
    passOn(from, list === undefined ? undefined : namesIn(list));
  }
  // Names that are imported and then re-exported.
  const given = new Set([...source.matchAll(localExports)].flatMap(([, list = ""]) => namesIn(list)).map(nameOf));
  for (const [, list = "", from = ""] of source.matchAll(importStatement)) {
    passOn(
      from,
      namesIn(list).filter(({ alias }) => given.has(alias)),
    );
  }
  return origins;
}

function nameOf({ name }: Name): string {
  return name;
}
