import { renderValue } from "@butler/cli-kit";
import { describeError, InvalidInput, isRecord } from "@butler/std";
import { parse } from "yaml";
import { digestOf, openSealed, sealFiles } from "../archive/sealed.ts";
import type { ArchiveFile } from "../archive/tar.ts";
import type { PortableObject } from "./portable.ts";

const format = "butler-backup";
/** Incremented when older programs cannot read the new format. */
const formatVersion = 1;
const manifestPath = "manifest.json";

/** Metadata of a backup. */
export interface BackupManifest {
  readonly createdAt: string;
  readonly butler: string;
  readonly kubernetes: string;
  /** The uid of the namespace kube-system, which identifies the cluster. */
  readonly cluster: string;
  readonly withSecrets: boolean;
}

/** A backup: its metadata, and its objects in creation order. */
export interface Backup {
  readonly manifest: BackupManifest;
  readonly objects: readonly PortableObject[];
}

/** Packs a backup into one file. */
export function packBackup({ manifest, objects }: Backup): Promise<Buffer> {
  const files = objects.map(fileOf);
  const listed = files.map(({ path, content }, at) => {
    const { apiVersion = "", kind = "", metadata } = objects[at] ?? {};
    const { name, namespace } = metadata ?? {};
    return { path, apiVersion, kind, namespace, name, sha256: digestOf(content) };
  });
  const text = JSON.stringify({ format, formatVersion, ...manifest, objects: listed }, undefined, 2);
  const all = [{ path: manifestPath, content: Buffer.from(`${text}\n`) }, ...files];
  return sealFiles(all, new Date(manifest.createdAt));
}

/** Object names may exceed the maximum path length, so a number keeps truncated names unique. */
function fileOf(object: PortableObject, at: number): ArchiveFile {
  const { kind, metadata } = object;
  const name = [kind.toLowerCase(), metadata.namespace, metadata.name].filter(Boolean).join("_").slice(0, 70);
  const path = `objects/${String(at + 1).padStart(6, "0")}-${name}.yaml`;
  return { path, content: Buffer.from(`${renderValue(object, "yaml")}\n`) };
}

/** Unpacks a backup; rejects damaged or modified backups and unknown format versions. */
export async function unpackBackup(packed: Buffer): Promise<Backup> {
  const files = await openSealed(packed);
  const manifest = readManifest(files.get(manifestPath)?.toString("utf8"));
  const listed = Array.isArray(manifest["objects"]) ? manifest["objects"].filter(isRecord) : [];
  if (listed.length !== files.size - 1) throw refusal("the manifest does not match the contents");
  const objects = listed.map((entry) => {
    const content = files.get(String(entry["path"]));
    if (content === undefined || digestOf(content) !== entry["sha256"])
      throw refusal(`the checksum of ${String(entry["path"])} does not match`);
    return readObject(String(entry["path"]), content);
  });
  const text = (name: string): string => (typeof manifest[name] === "string" ? manifest[name] : "");
  return {
    manifest: {
      createdAt: text("createdAt"),
      butler: text("butler"),
      kubernetes: text("kubernetes"),
      cluster: text("cluster"),
      withSecrets: manifest["withSecrets"] === true,
    },
    objects,
  };
}

function readManifest(text: string | undefined): Record<string, unknown> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text ?? "");
  } catch {
    throw refusal("missing or invalid manifest");
  }
  if (!isRecord(manifest) || manifest["format"] !== format) throw refusal("not a Butler backup");
  const version = manifest["formatVersion"];
  if (typeof version === "number" && version >= 1 && version <= formatVersion) return manifest;
  throw new InvalidInput(
    `unsupported backup format version ${String(version)}: this butleradm supports versions up to ${formatVersion}`,
    {
      hint: "Upgrade butleradm.",
    },
  );
}

function readObject(path: string, content: Buffer): PortableObject {
  let value: unknown;
  try {
    value = parse(content.toString("utf8"), { maxAliasCount: 0 });
  } catch (error) {
    throw refusal(`${path} is not valid YAML: ${describeError(error)}`);
  }
  const metadata = isRecord(value) ? value["metadata"] : undefined;
  const isObject =
    isRecord(value) && typeof value["kind"] === "string" && isRecord(metadata) && typeof metadata["name"] === "string";
  if (!isObject) throw refusal(`${path} is not an object`);
  return value as PortableObject;
}

function refusal(why: string): InvalidInput {
  return new InvalidInput(`invalid backup: ${why}`, { hint: "Nothing was changed. Use another copy of the file." });
}
