import { setImmediate } from "node:timers/promises";
import { InvalidInput } from "@butler/std";
import { type ManifestObject, objectsIn } from "./manifest-object.ts";
import { readDocuments } from "./read-documents.ts";
import { splitDocuments } from "./split-documents.ts";

/** A release's Secret holds one mebibyte of compressed text; a larger manifest is not from Helm. */
const longestManifest = 16 * 1024 * 1024;
const longestDocument = 4 * 1024 * 1024;
const mostObjects = 5_000;

/** Maximum time before yielding to the event loop. */
const turnMs = 5;

const hint = "Inspect the manifest with: helm get manifest RELEASE -n NAMESPACE";

/** How to read a manifest. */
export interface ParseManifestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The objects of a Helm manifest. Throws InvalidInput with the number of the invalid document. */
export async function parseManifest(
  manifest: string,
  { signal }: ParseManifestOptions = {},
): Promise<readonly ManifestObject[]> {
  if (manifest.length > longestManifest) throw refusal(`larger than ${mebibytes(longestManifest)}`);
  const documents = splitDocuments(manifest);
  if (documents.length === 0) return [];
  if (documents.length > mostObjects) throw refusal(`more than ${mostObjects} documents`);
  for (const [at, text] of documents.entries()) {
    if (text.length > longestDocument) throw faultIn(at, `larger than ${mebibytes(longestDocument)}`);
  }
  const objects: ManifestObject[] = [];
  let turnBegan = performance.now();
  for (const [at, result] of (await readDocuments(documents, signal)).entries()) {
    if ("fault" in result) throw faultIn(at, result.fault);
    const found = objectsIn(JSON.parse(result.json));
    if ("fault" in found) throw faultIn(at, found.fault);
    objects.push(...found.objects);
    if (objects.length > mostObjects) throw refusal(`more than ${mostObjects} objects`);
    if (performance.now() - turnBegan > turnMs) {
      await setImmediate(undefined, { signal });
      turnBegan = performance.now();
    }
  }
  return objects;
}

function faultIn(at: number, fault: string): InvalidInput {
  return refusal(`document ${at + 1}: ${fault}`);
}

function refusal(why: string): InvalidInput {
  return new InvalidInput(`cannot read the manifest: ${why}`, { hint });
}

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;
