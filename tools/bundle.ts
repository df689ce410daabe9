// `node tools/run.mjs bundle FOLDER`: writes the program of all Butler processes as a few files that require only Node.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bundleButler } from "@butler/butler/deploy";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node tools/run.mjs bundle FOLDER");
  process.exitCode = 2;
} else {
  const { files } = await bundleButler();
  for (const { path, content } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB: node ${join(folder, "main.js")} ROLE`);
}
