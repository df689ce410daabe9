import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A third-party package that is part of a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As declared by the package, in SPDX format. */
  readonly license: string;
  /** License and notice files, concatenated; empty when the package has none. */
  readonly text: string;
}

const packagesFolder = "node_modules/";
const licenceFile = /^(licen[cs]e|notice|copying)(\.(md|txt))?$/i;

/** The directories of the packages of bundled files, sorted, without duplicates. */
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

/** Reads the metadata and licenses of the packages of bundled files. */
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

/** One text with the licenses of all packages. A license text shared by several packages is included once. */
export function renderNotices(packages: readonly BundledPackage[]): string {
  const byText = Map.groupBy(packages, ({ license, text }) => (text === "" ? `Licence: ${license}` : text));
  const sections = [...byText].map(([text, sharers]) => {
    const names = [...new Set(sharers.map(({ name, version, license }) => `${name} ${version} (${license})`))];
    return `${names.join("\n")}\n\n${text}\n`;
  });
  const line = `${"-".repeat(80)}\n`;
  return `This program contains third-party software under the following terms.\n\n${line}${sections.join(line)}`;
}
