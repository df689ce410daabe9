import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { loaderCode, wrapPart } from "./launcher.ts";

const run = promisify(execFile);

/** Runs a program like an executable would, and stores the compiled code of each part. */
const recorder = `${loaderCode}
const { readFileSync, writeFileSync } = require("node:fs");
const { Script } = require("node:vm");
const [, , folder, ...words] = process.argv;
process.argv.splice(2, 1);
const scripts = new Map();
runParts((name) => {
  const script = new Script(readFileSync(folder + "/" + name, "latin1"), { filename: name });
  scripts.set(name, script);
  return script.runInThisContext();
}, folder + "/program");
process.on("exit", () => {
  for (const [name, script] of scripts) writeFileSync(folder + "/" + name + ".cache", script.createCachedData());
});
`;

/** V8's code cache of a program's parts after running a command that calls an API server, as most commands do. */
export async function recordCodeCaches(
  parts: ReadonlyMap<string, string>,
  words: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = await mkdtemp(join(tmpdir(), "butler-code-cache-"));
  const path = (name: string): string => join(folder, name);
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(anyList));
  }).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    for (const [name, code] of parts) await writeFile(path(name), wrapPart(code), "latin1");
    await writeFile(path("recorder.cjs"), recorder);
    await writeFile(path("kubeconfig"), JSON.stringify(kubeconfigOf(`http://127.0.0.1:${port}`)));
    const environment = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: path("kubeconfig") };
    await run(process.execPath, [path("recorder.cjs"), folder, ...words], { env: environment });
    const names = (await readdir(folder)).filter((name) => name.endsWith(".cache"));
    const read = names.map(async (name) => [name.slice(0, -".cache".length), await readFile(path(name))] as const);
    return new Map(await Promise.all(read));
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
}

const metadata = { name: "blue", namespace: "payments", creationTimestamp: "2026-01-01T00:00:00Z" };
const anyObject = { metadata, spec: { workers: { replicas: 1 } }, status: { phase: "Ready" } };
/** Enough for a list of any kind, and for the version of the server. */
const anyList = { gitVersion: "v1", metadata: { resourceVersion: "1" }, items: [anyObject] };

function kubeconfigOf(server: string): unknown {
  return {
    clusters: [{ name: "recorded", cluster: { server } }],
    users: [{ name: "recorded", user: { token: "none" } }],
    contexts: [{ name: "recorded", context: { cluster: "recorded", user: "recorded" } }],
    "current-context": "recorded",
  };
}
