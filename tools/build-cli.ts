// `npm run build-cli`: writes both command lines below dist/cli, each as one file for Node and as a standalone
// executable, and the files that install them as `kubectl butler`.
import { chmod, copyFile, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { bomFile, findPackages, renderBom, renderNotices } from "@butler/butler/deploy";
import { bundleParts, commandLines, commonJsParts } from "./cli/bundle-cli.ts";
import { recordCodeCaches } from "./cli/code-cache.ts";
import { joinParts } from "./cli/launcher.ts";
import { buildExecutable } from "./cli/single-executable.ts";
import { repositoryRoot } from "./steps.ts";

/** The command whose code is precompiled for each: one that users run often. */
const recorded = { butlerctl: ["cluster", "list", "-A"], butleradm: ["version"] } as const;

/** kubectl runs a program of this name to complete `kubectl butler`. */
const completionForKubectl = `#!/bin/sh
exec "$(dirname -- "$(readlink -f -- "$0")")/butlerctl" __complete "$@"
`;

const folder = resolve(repositoryRoot, process.argv[2] ?? "dist/cli");
await mkdir(folder, { recursive: true });
const inputs: string[] = [];
for (const name of commandLines) {
  const bundled = await bundleParts(name);
  inputs.push(...Object.keys(bundled.inputs));
  const parts = await commonJsParts(bundled);
  await write(`${name}.cjs`, joinParts(parts));
  const codeCaches = await recordCodeCaches(parts, recorded[name]);
  await write(name, await buildExecutable({ parts, codeCaches }));
}
await link("butlerctl", "kubectl-butler");
await write("kubectl_complete-butler", completionForKubectl);
const packages = await findPackages(repositoryRoot, inputs);
await writeFile(join(folder, "THIRD-PARTY-NOTICES.txt"), renderNotices(packages));
const { version } = JSON.parse(await readFile(join(repositoryRoot, "package.json"), "utf8")) as { version: string };
await writeFile(join(folder, bomFile), renderBom({ name: "butler-cli", version }, packages));
await copyFile(join(repositoryRoot, "LICENSE"), join(folder, "LICENSE"));

async function write(name: string, content: string | Uint8Array): Promise<void> {
  const path = join(folder, name);
  // A running program cannot be overwritten, but it can be replaced by another file.
  await rm(path, { force: true });
  await writeFile(path, content);
  await chmod(path, 0o755);
  console.log(`${name}: ${(content.length / 1e6).toFixed(1)} MB`);
}

async function link(target: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
  await symlink(target, join(folder, name));
}
