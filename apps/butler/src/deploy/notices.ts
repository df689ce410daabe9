import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A package of somebody else's that is part of a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As the package states it, in SPDX's terms. */
  readonly license: string;
  /** Licence and notice files, one after the other; empty when the package has none. */
  readonly text: string;
}

const packagesFolder = "node_modules/";
const licenceFile = /^(licen[cs]e|notice|copying)(\.(md|txt))?$/i;

/** The folders of the packages that bundled files belong to, sorted, each once. */
export function packageFolders(inputs: readonly string[]): string[] {
  const folders = inputs.flatMap((input) => {
    const start = input.lastIndexOf(packagesFolder);
    if (start < 0) return [];
    const [scope = "", name = ""] = input.slice(start + packagesFolder.length).split("/");
    const folder = scope.startsWith("@") ? `${scope}/${name}` : scope;
    return [`${input.slice(0, start)}${packagesFolder}${folder}`];
  });
  return [...new Set(folders)].sort();
}

/** Reads what the packages behind bundled files say of themselves. */
export async function findPackages(root: string, inputs: readonly string[]): Promise<BundledPackage[]> {
  return Promise.all(packageFolders(inputs).map((folder) => readPackage(join(root, folder))));
}

async function readPackage(folder: string): Promise<BundledPackage> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  const names = (await readdir(folder)).filter((name) => licenceFile.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const { name, version, license } = manifest;
  return {
    name: String(name),
    version: String(version),
    license: typeof license === "string" ? license : "see below",
    text: texts.map((text) => text.replaceAll("\r\n", "\n").trim()).join("\n\n"),
  };
}

/** One text with the licences of all packages. A licence that several share word for word is there once. */
export function renderNotices(packages: readonly BundledPackage[]): string {
  const byText = Map.groupBy(packages, ({ license, text }) => (text === "" ? `Licence: ${license}` : text));
  const sections = [...byText].map(([text, sharers]) => {
    const names = [...new Set(sharers.map(({ name, version, license }) => `${name} ${version} (${license})`))];
    return `${names.join("\n")}\n\n${text}\n`;
  });
  const line = `${"-".repeat(80)}\n`;
  return `This program contains software by others, under the following terms.\n\n${line}${sections.join(line)}`;
}
