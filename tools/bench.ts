// `npm run bench -- NAME`: runs test/bench/NAME.ts, which prints a table and ends with one line of JSON.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { controlPlaneTools, ensureTools } from "@butler/engine";
import { repositoryRoot } from "./steps.ts";

const folder = join(repositoryRoot, "test", "bench");
const [name = "", ...args] = process.argv.slice(2);
const file = join(folder, `${name}.ts`);
if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
  const names = (await readdir(folder)).filter((entry) => entry.endsWith(".ts")).map((entry) => entry.slice(0, -3));
  console.error(`usage: npm run bench -- NAME, where NAME is one of: ${names.join(", ")}`);
  process.exitCode = 2;
} else {
  await ensureTools(controlPlaneTools);
  process.exitCode = await new Promise<number>((resolve, reject) => {
    const child = spawn(process.execPath, ["--expose-gc", file, ...args], { cwd: repositoryRoot, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
