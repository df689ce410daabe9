import type { BundledPackage } from "./notices.ts";

/** The file with the packages of a build, in CycloneDX format. */
export const bomFile = "bom.cdx.json";

/** What is built. */
export interface BomSubject {
  readonly name: string;
  readonly version: string;
}

/**
 * A software bill of materials in CycloneDX 1.6: every third-party package of a build. Without time and serial number, so
 * that the same sources produce the same bytes.
 */
export function renderBom(subject: BomSubject, packages: readonly BundledPackage[]): string {
  const own = { ...subject, license: "Apache-2.0" };
  const components = new Map(packages.map((each) => [packageUrl(each), component("library", each)]));
  const refs = [...components.keys()].sort();
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: component("application", own) },
    components: refs.map((ref) => components.get(ref)),
    dependencies: [{ ref: packageUrl(own), dependsOn: refs }],
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

type Named = Pick<BundledPackage, "name" | "version" | "license">;

/** The package URL; a scope is its namespace, with its `@` encoded. */
function packageUrl({ name, version }: Pick<Named, "name" | "version">): string {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${encodeURIComponent(version)}`;
}

function component(type: "application" | "library", { name, version, license }: Named): object {
  const purl = packageUrl({ name, version });
  return { type, "bom-ref": purl, name, version, purl, licenses: [licenceOf(license)] };
}

/** One SPDX identifier, an expression, or what the package says instead. */
function licenceOf(license: string): object {
  if (/[\s()]/.test(license)) {
    return / (OR|AND|WITH) /.test(license) ? { expression: license } : { license: { name: license } };
  }
  return { license: { id: license } };
}
