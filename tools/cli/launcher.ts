import { mainPart } from "./bundle-cli.ts";

const around = "exports, require, module, __filename, __dirname, $url, $import";

/** A part of a program, wrapped into a function with a module's variables. */
export function wrapPart(code: string): string {
  return `(function (${around}) {${code}\n})`;
}

/**
 * The loader of a program's parts, as source text: `readPart` returns the function of a part. Each part is read when
 * another one requires it. A dynamically imported part may use top-level await.
 */
export const loaderCode = `
const { dirname } = require("node:path");
function runParts(readPart, file) {
  const loaded = new Map();
  const folder = dirname(file);
  const url = "file://" + encodeURI(file);
  const load = (name) => {
    if (!name.startsWith("./")) return require(name);
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    readPart(name.slice(2))(module.exports, load, module, file, folder, url, loadLater);
    return module.exports;
  };
  const loadLater = async (name) => {
    const exported = load(name);
    await globalThis.$ready;
    return exported;
  };
  load("./${mainPart}");
}
`;

/** The parts as one file for Node. */
export function joinParts(parts: ReadonlyMap<string, string>): string {
  const functions = [...parts].map(([name, code]) => `${JSON.stringify(name)}: ${wrapPart(code)},`);
  return [
    "#!/usr/bin/env node",
    `const parts = {\n${functions.join("\n")}\n};`,
    loaderCode,
    'runParts((name) => parts[name], require("node:fs").realpathSync(__filename));\n',
  ].join("\n");
}
