import { isRecord } from "@butler/std";

/** What CycloneDX 1.6 requires of the parts that a bill of materials of Butler has; empty when all of it holds. */
export function bomFaults(bom: unknown): string[] {
  if (!isRecord(bom)) return ["not an object"];
  const { bomFormat, specVersion, version, metadata, components, dependencies } = bom;
  const subject = isRecord(metadata) ? metadata["component"] : undefined;
  const listed = Array.isArray(components) ? (components as unknown[]) : [];
  const refs = [subject, ...listed].map((each) => (isRecord(each) ? String(each["bom-ref"]) : ""));
  return [
    ...(bomFormat === "CycloneDX" ? [] : ["bomFormat"]),
    ...(specVersion === "1.6" ? [] : ["specVersion"]),
    ...(Number.isInteger(version) && Number(version) >= 1 ? [] : ["version"]),
    ...(Array.isArray(components) ? [] : ["components"]),
    ...(new Set(refs).size === refs.length ? [] : ["bom-ref: not unique"]),
    ...[subject, ...listed].flatMap((each, at) => componentFaults(each).map((fault) => `component ${at}: ${fault}`)),
    ...(Array.isArray(dependencies) ? dependencies : [undefined]).flatMap((each: unknown) => edgeFaults(each, refs)),
  ];
}

function componentFaults(component: unknown): string[] {
  if (!isRecord(component)) return ["not an object"];
  const { type, name, purl, licenses } = component;
  return [
    ...(type === "application" || type === "library" ? [] : ["type"]),
    ...(typeof name === "string" && name !== "" ? [] : ["name"]),
    ...(typeof purl === "string" && /^pkg:npm\/(%40[^/@\s]+\/)?[^/@\s]+@[^@\s]+$/.test(purl) ? [] : ["purl"]),
    ...(Array.isArray(licenses) && licenses.length > 0 && licenses.every(isLicence) ? [] : ["licenses"]),
  ];
}

/** Either an SPDX expression, or one licence with an identifier or a name. */
function isLicence(choice: unknown): boolean {
  if (!isRecord(choice) || Object.keys(choice).length !== 1) return false;
  const { expression, license } = choice;
  if (typeof expression === "string") return expression !== "";
  if (!isRecord(license)) return false;
  const { id, name } = license;
  return typeof id === "string" ? /^[A-Za-z0-9.+-]+$/.test(id) && name === undefined : typeof name === "string";
}

function edgeFaults(edge: unknown, refs: readonly string[]): string[] {
  if (!isRecord(edge)) return ["dependencies"];
  const { ref, dependsOn } = edge;
  const named = [ref, ...(Array.isArray(dependsOn) ? (dependsOn as unknown[]) : [])].map(String);
  return named.filter((each) => !refs.includes(each)).map((each) => `dependency on ${each}, which is not listed`);
}
