// Entry point of every npm script. Plain JavaScript, because it has to run on any Node version: it installs the project's
// packages when they are missing or out of date (including Node 24), then runs the TypeScript program.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const node = join(root, "node_modules", ".bin", "node");

/**
 * Whether the installed packages match the lock file. npm keeps a copy of it without the top entry and without packages
 * that it did not install: optional ones, most of them for other platforms.
 */
function isInstalled() {
  const copy = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(copy) || !existsSync(node)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(copy, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || entry.link || present[path]?.version === entry.version,
  );
}

/** Runs a program to completion. Signals are forwarded, so that stopping this process stops the program, too. */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit" });
    const pass = (signal) => child.kill(signal);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, pass);
    child.on("error", (error) => {
      console.error(`butler: cannot start ${command}: ${error.message}`);
      process.exit(1);
    });
    child.on("close", (code, signal) => {
      for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(name, pass);
      if (code !== 0) process.exit(code ?? (signal === "SIGINT" ? 130 : 1));
      resolve();
    });
  });
}

const [task, ...rest] = process.argv.slice(2);
if (!isInstalled()) {
  // `npm ci` installs exactly what is in the lock file. It rejects an incomplete lock file.
  const install = task === "complete-lock" ? ["install", "--no-save"] : ["ci"];
  console.error(`butler: installing packages (npm ${install[0]}) ...`);
  await run("npm", [...install, "--no-fund", "--no-audit", "--loglevel=error"]);
}
process.env.PATH = `${join(root, "node_modules", ".bin")}:${process.env.PATH}`;
// Compiled modules are kept between processes: a run starts hundreds that load the same sources.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "node");
await run(node, [join(root, "tools", `${task}.ts`), ...rest]);
