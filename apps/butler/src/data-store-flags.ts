import type { DefaultDataStoreSettings } from "@butler/steward";
import { InvalidInput, isRecord, parseQuantity } from "@butler/std";

/** The flags that make Steward create the default DataStore. */
export const dataStoreFlags = {
  /** Namespace of the DataStore's etcd, which is Steward's own; without it Steward does not manage the DataStore. */
  "provide-data-store": { type: "string" },
  "data-store-members": { type: "string" },
  "data-store-size": { type: "string" },
  "data-store-storage-class": { type: "string" },
  "data-store-image": { type: "string" },
  /** Container resources, in JSON. */
  "data-store-resources": { type: "string" },
} as const;

type FlagValues = { readonly [name in keyof typeof dataStoreFlags]?: string | undefined };

/**
 * The default DataStore requested by the flags; undefined if none is requested. Throws InvalidInput naming the flag.
 */
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

/** Prefix of the names of etcd objects, and pod names are limited to 63 characters. */
function nameIn(flag: string, text: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidInput(`--${flag} ${text} is not a valid name prefix for etcd objects`, {
    hint: "Use at most 40 lowercase letters, digits and '-', starting and ending with a letter or digit.",
  });
}

function membersOf(text: string): number {
  if (text === "1" || text === "3") return Number(text);
  throw new InvalidInput(`--data-store-members ${text} must be 1 or 3`);
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
    // Reported below, with the flag.
  }
  throw new InvalidInput(`--data-store-size ${text} is not a valid size`, { hint: "Use a quantity such as 10Gi." });
}

function resourcesOf(text: string): NonNullable<DefaultDataStoreSettings["resources"]> {
  const hint = 'Use JSON such as {"requests":{"cpu":"500m"},"limits":{"memory":"1Gi"}}.';
  const parsed = parseJson(text);
  const isAmounts = (value: unknown): boolean =>
    isRecord(value) && Object.values(value).every((amount) => ["string", "number"].includes(typeof amount));
  const isKnown = isRecord(parsed) && Object.keys(parsed).every((key) => key === "requests" || key === "limits");
  if (isKnown && Object.values(parsed).every(isAmounts)) return parsed;
  throw new InvalidInput(`--data-store-resources ${text} is not a valid resource specification`, { hint });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
