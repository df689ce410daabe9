import type { DefaultDataStoreSettings } from "@butler/steward";
import { InvalidInput, isRecord, parseQuantity } from "@butler/std";

/** The flags by which Steward is told to bring the default DataStore along. */
export const dataStoreFlags = {
  /** The namespace of the DataStore's etcd, which is Steward's own; without it the DataStore is somebody else's matter. */
  "provide-data-store": { type: "string" },
  "data-store-members": { type: "string" },
  "data-store-size": { type: "string" },
  "data-store-storage-class": { type: "string" },
  "data-store-image": { type: "string" },
  /** As a container has them, in JSON. */
  "data-store-resources": { type: "string" },
} as const;

type FlagValues = { readonly [name in keyof typeof dataStoreFlags]?: string | undefined };

/** The default DataStore that the flags ask for; undefined when they ask for none. Throws InvalidInput naming the flag. */
export function providedDataStore(flags: FlagValues, name: string): DefaultDataStoreSettings | undefined {
  const namespace = flags["provide-data-store"];
  if (namespace === undefined) return undefined;
  const image = flags["data-store-image"];
  const members = flags["data-store-members"];
  const resources = flags["data-store-resources"];
  const storage = storageOf(flags);
  return {
    namespace: nameIn("provide-data-store", namespace),
    name: nameIn("default-data-store", name),
    ...(members === undefined ? {} : { members: membersOf(members) }),
    ...(storage === undefined ? {} : { storage }),
    ...(image === undefined ? {} : { image }),
    ...(resources === undefined ? {} : { resources: resourcesOf(resources) }),
  };
}

/** Names of the etcd's objects begin with it, and pods' names must fit into 63 characters. */
function nameIn(flag: string, text: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidInput(`--${flag} ${text} cannot name objects of an etcd`, {
    hint: "Give at most 40 small letters, digits and hyphens, with a letter or digit at both ends.",
  });
}

function membersOf(text: string): number {
  if (text === "1" || text === "3") return Number(text);
  throw new InvalidInput(`--data-store-members ${text} is neither 1 nor 3`);
}

function storageOf(flags: FlagValues): DefaultDataStoreSettings["storage"] {
  const size = flags["data-store-size"];
  const storageClassName = flags["data-store-storage-class"];
  if (size === undefined && storageClassName === undefined) return undefined;
  return { size: sizeOf(size ?? "10Gi"), ...(storageClassName === undefined ? {} : { storageClassName }) };
}

function sizeOf(text: string): string {
  try {
    if (parseQuantity(text) > 0n) return text;
  } catch {
    // Said below, with the flag.
  }
  throw new InvalidInput(`--data-store-size ${text} is not a size`, { hint: "Give one such as 10Gi." });
}

function resourcesOf(text: string): NonNullable<DefaultDataStoreSettings["resources"]> {
  const hint = 'Give JSON such as {"requests":{"cpu":"500m"},"limits":{"memory":"1Gi"}}.';
  const parsed = parseJson(text);
  const isAmounts = (value: unknown): boolean =>
    isRecord(value) && Object.values(value).every((amount) => ["string", "number"].includes(typeof amount));
  const isKnown = isRecord(parsed) && Object.keys(parsed).every((key) => key === "requests" || key === "limits");
  if (isKnown && Object.values(parsed).every(isAmounts)) return parsed;
  throw new InvalidInput(`--data-store-resources ${text} are not the resources of a container`, { hint });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
