// Entry of every npm script. Plain JavaScript, because it has to run on whatever Node a newcomer has: it installs the
// project's packages when they are missing or out of date (Node 24 among them), then hands over to TypeScript.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const node = join(root, "node_modules", ".bin", "node");

/** Whether what is installed is what the lock file says. npm keeps a copy of it without the top entry. */
function isInstalled() {
  const copy = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(copy) || !existsSync(node)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(copy, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || entry.link || present[path]?.version === entry.version,
  );
}

/** Runs a program to its end. Signals are passed on, so that ending this process ends the program too. */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit" });
    const pass = (signal) => child.kill(signal);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, pass);
    child.on("error", (error) => {
      console.error(`butler: ${command} could not be started: ${error.message}`);
      process.exit(1);
    });
    child.on("close", (code, signal) => {
      for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(name, pass);
      if (code !== 0) process.exit(code ?? (signal === "SIGINT" ? 130 : 1));
      resolve();
    });
  });
}

if (!isInstalled()) {
  console.error("butler: installing packages (npm install) ...");
  // Not `npm ci`: that refuses a lock file in which packages for other platforms are missing, as they are when it was
  // written against a mirror that holds only some. `--no-save` keeps to the lock file and leaves it as it is.
  await run("npm", ["install", "--no-save", "--no-fund", "--no-audit", "--loglevel=error"]);
}
const [task, ...rest] = process.argv.slice(2);
process.env.PATH = `${join(root, "node_modules", ".bin")}:${process.env.PATH}`;
await run(node, [join(root, "tools", `${task}.ts`), ...rest]);
