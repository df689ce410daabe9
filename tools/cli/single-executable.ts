import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Bug } from "@butler/std";
import { addElfNote } from "./elf-note.ts";
import { loaderCode, wrapPart } from "./launcher.ts";

const run = promisify(execFile);

/** The sentinel by which Node detects an embedded program; its last character is the switch. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** The input of an executable. */
export interface ExecutableParts {
  /** The program's parts as CommonJS, in plain ASCII. */
  readonly parts: ReadonlyMap<string, string>;
  /** V8's code cache of some of them from an earlier run. */
  readonly codeCaches: ReadonlyMap<string, Uint8Array>;
}

/**
 * The entry code of an executable. Node's own code cache would contain only what is compiled when a file is loaded;
 * these contain what a real run has compiled, which is everything that a short command needs.
 */
const launcher = `${loaderCode}
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");
const cached = new Set(JSON.parse(Buffer.from(getRawAsset("cached")).latin1Slice()));
const rejected = [];
runParts((name) => {
  const source = Buffer.from(getRawAsset(name)).latin1Slice();
  const cachedData = cached.has(name) ? Buffer.from(getRawAsset(name + ".cache")) : undefined;
  const script = new Script(source, { filename: name, cachedData });
  if (script.cachedDataRejected !== false) rejected.push(name);
  return script.runInThisContext();
}, process.execPath);
if (process.env.BUTLER_CODE_CACHE === "tell") {
  process.stderr.write(rejected.length === 0 ? "all used\\n" : "not used: " + rejected.join(", ") + "\\n");
}
`;

/** Node with an embedded program: one standalone file. */
export async function buildExecutable({ parts, codeCaches }: ExecutableParts): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "butler-executable-"));
  const path = (name: string): string => join(folder, name);
  const assets: Record<string, string> = {};
  const add = async (name: string, content: string | Uint8Array): Promise<void> => {
    assets[name] = path(name);
    await writeFile(path(name), content);
  };
  try {
    for (const [name, code] of parts) await add(name, wrapPart(code));
    for (const [name, cache] of codeCaches) await add(`${name}.cache`, cache);
    await add("cached", JSON.stringify([...codeCaches.keys()]));
    await writeFile(path("launcher.cjs"), launcher);
    const settings = {
      main: path("launcher.cjs"),
      output: path("blob"),
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets,
    };
    await writeFile(path("settings.json"), JSON.stringify(settings));
    await run(process.execPath, ["--experimental-sea-config", path("settings.json")]);
    return withProgram(await readFile(process.execPath), await readFile(path("blob")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function withProgram(node: Buffer, blob: Buffer): Buffer {
  const at = node.indexOf(`${fuse}:0`, 0, "latin1");
  if (at === -1) throw new Bug("this Node.js binary cannot be used for a single executable");
  const armed = Buffer.from(node);
  armed.write("1", at + fuse.length + 1, "latin1");
  return addElfNote(armed, "NODE_SEA_BLOB", blob);
}
