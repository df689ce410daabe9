import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "./steps.ts";

const catalogFolder = "deploy/catalog";

/** The contents of the built-in catalog's files, by file name, not validated. */
export async function readCatalog(): Promise<Map<string, unknown>> {
  const folder = join(repositoryRoot, catalogFolder);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".yaml")).sort();
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, parse(await readFile(join(folder, name), "utf8"))] as [string, unknown]),
    ),
  );
}
