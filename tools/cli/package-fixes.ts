import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** The command line parser imports child_process to start external subcommands, which our commands do not use. */
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

/** The terminal layout engine, ready when `$ready` resolves; the loader awaits that after imports. */
const layoutLater = `
import loadYoga from "../binaries/yoga-wasm-base64-esm.js";
import wrapAssembly from "./wrapAssembly.js";
import constants from "./generated/YGEnums.js";
let yoga = constants;
globalThis.$ready = loadYoga().then((assembly) => (yoga = wrapAssembly(assembly)));
export default new Proxy({}, { get: (_target, name) => yoga[name] });
export * from "./generated/YGEnums.js";
`;

/** Two packages of the terminal dashboard use top-level await, which CommonJS parts cannot. */
export const withoutTopLevelWait: Plugin = {
  name: "without-top-level-wait",
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/yoga-layout\/dist\/src\/index\.js$/ }, () => ({ contents: layoutLater, loader: "js" }));
    // Development tools of the package, and its name and version, which it reads from its directory.
    bundler.onLoad({ filter: /\/ink\/build\/reconciler\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8")
        .replace("await import('./devtools.js')", "undefined")
        .replace("await loadPackageJson()", "{ name: 'ink', version: '' }"),
      loader: "js",
    }));
  },
};
