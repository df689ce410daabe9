// Part of `npm run check`: fails when a dependency has a licence that may not be used. Reads the lock file only.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LockFile } from "../lock/lock-file.ts";
import { repositoryRoot } from "../steps.ts";
import { licenceFaults } from "./licences.ts";

const lock = JSON.parse(await readFile(join(repositoryRoot, "package-lock.json"), "utf8")) as LockFile;
const faults = licenceFaults(lock.packages);
for (const fault of faults) console.log(fault);
if (faults.length > 0) console.log("Replace these packages, or add the licence to tools/supply-chain/licences.ts.");
process.exitCode = faults.length > 0 ? 1 : 0;
