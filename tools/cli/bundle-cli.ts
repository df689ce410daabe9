import { build, type Metafile, transform } from "esbuild";
import { repositoryRoot } from "../steps.ts";
import { carriedChart, helmInThisThread } from "./own-fixes.ts";
import { quickCommander, withoutTopLevelWait } from "./package-fixes.ts";
import { straightImports } from "./straight-imports.ts";

/** The command lines that are built. */
export const commandLines = ["butlerctl", "butleradm"] as const;
export type CommandLine = (typeof commandLines)[number];

/** A command line in parts, each of which is loaded on demand. */
export interface CliParts {
  /** ECMAScript modules by name; `main.js` comes first. */
  readonly modules: ReadonlyMap<string, string>;
  readonly inputs: Metafile["inputs"];
}

/** The entry module of a program. */
export const mainPart = "main.js";

const outputFolder = "/parts";
/** Bundles a command line, split at dynamic imports: each part contains only what it uses itself. */
export async function bundleParts(name: CommandLine): Promise<CliParts> {
  const { outputFiles, metafile } = await build({
    bundle: true,
    platform: "node",
    target: "node24",
    charset: "ascii",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    write: false,
    logLevel: "silent",
    absWorkingDir: repositoryRoot,
    stdin: {
      contents: `
import { runProgram } from "@butler/cli-kit";
import { ${name} } from "./program.ts";
void runProgram(${name}, process.argv.slice(2)).then((code) => (process.exitCode = code));`,
      resolveDir: `${repositoryRoot}/apps/${name}/src`,
      sourcefile: `apps/${name}/src/executable.ts`,
      loader: "ts",
    },
    // `import.meta` of modules refers to the location of the program.
    define: { "import.meta.url": "$url", "import.meta.dirname": "__dirname", "import.meta.filename": "__filename" },
    format: "esm",
    splitting: true,
    outdir: outputFolder,
    metafile: true,
    plugins: [carriedChart, helmInThisThread, straightImports, quickCommander, withoutTopLevelWait],
  });
  const named = outputFiles.map(({ path, text }): [string, string] => {
    const file = path.slice(outputFolder.length + 1);
    return [file === "stdin.js" ? mainPart : file, text];
  });
  return { modules: new Map(named), inputs: metafile.inputs };
}

/** The parts as CommonJS, for a loader with `require("./name")` and `$import("./name")`. */
export async function commonJsParts({ modules }: CliParts): Promise<ReadonlyMap<string, string>> {
  const parts = new Map<string, string>();
  for (const [name, text] of modules) {
    const { code } = await transform(text.replaceAll(/\bimport\((?="\.\/)/g, "$import("), {
      format: "cjs",
      platform: "node",
      target: "node24",
      charset: "ascii",
      supported: { "dynamic-import": false },
      minifySyntax: true,
      minifyWhitespace: true,
    });
    parts.set(name, code);
  }
  return parts;
}
