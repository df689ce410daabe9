// `npm run generate`: writes the files generated from declarations (CRDs, reference pages, the chart). With --check it
// writes nothing and fails when a file differs from its generated content, or is stale.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { generatedFiles, generatedFolders } from "./generated-files.ts";
import { repositoryRoot } from "./steps.ts";

const isCheck = process.argv.includes("--check");
const wanted = await generatedFiles();
const wrong: string[] = [];

for (const [path, content] of wanted) {
  const file = join(repositoryRoot, path);
  const present = existsSync(file) ? await readFile(file, "utf8") : undefined;
  if (present === content) continue;
  wrong.push(path);
  if (isCheck) continue;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
for (const folder of generatedFolders) {
  const root = join(repositoryRoot, folder);
  const found = existsSync(root) ? await readdir(root, { recursive: true, withFileTypes: true }) : [];
  for (const file of found) {
    const path = relative(repositoryRoot, join(file.parentPath, file.name));
    if (!file.isFile() || wanted.has(path)) continue;
    wrong.push(path);
    if (!isCheck) await rm(join(repositoryRoot, path));
  }
}
for (const path of wrong) console.log(`${isCheck ? "differs" : "written"}: ${path}`);
if (isCheck && wrong.length > 0) {
  console.log("Run npm run generate and commit the result.");
  process.exitCode = 1;
}
