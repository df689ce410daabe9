import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** The parser of command lines loads what it would need to start other programs, which none of our commands asks it to. */
export const quickCommander: Plugin = {
  name: "quick-commander",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes("/node_modules/commander/") ? { path: "no-children", namespace: "quick-commander" } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: "quick-commander" }, () => ({
      contents: "export default {};",
      loader: "js",
    }));
  },
};

/** What lays texts out in a terminal, ready when `$ready` is; the loader waits for that after what is imported. */
const layoutLater = `
import loadYoga from "../binaries/yoga-wasm-base64-esm.js";
import wrapAssembly from "./wrapAssembly.js";
import constants from "./generated/YGEnums.js";
let yoga = constants;
globalThis.$ready = loadYoga().then((assembly) => (yoga = wrapAssembly(assembly)));
export default new Proxy({}, { get: (_target, name) => yoga[name] });
export * from "./generated/YGEnums.js";
`;

/** Two packages of the terminal dashboard wait while they are loaded, which parts in the older format cannot. */
export const withoutTopLevelWait: Plugin = {
  name: "without-top-level-wait",
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/yoga-layout\/dist\/src\/index\.js$/ }, () => ({ contents: layoutLater, loader: "js" }));
    // Tools for those who develop the package, and its name and version, which it reads from its folder.
    bundler.onLoad({ filter: /\/ink\/build\/reconciler\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8")
        .replace("await import('./devtools.js')", "undefined")
        .replace("await loadPackageJson()", "{ name: 'ink', version: '' }"),
      loader: "js",
    }));
  },
};
