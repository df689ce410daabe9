import { keyText, type ObjectKey, parseKeyText } from "@butler/resource";

type AddonScope = "tenant" | "management";

/** The key of an add-on among all jobs. */
export function jobKeyOf(scope: AddonScope, key: ObjectKey): string {
  return `${scope} ${keyText(key)}`;
}

/** The add-on of a key; undefined for an add-on of the other kind. */
export function addonOfJob(scope: AddonScope, key: string): ObjectKey | undefined {
  const prefix = `${scope} `;
  return key.startsWith(prefix) ? parseKeyText(key.slice(prefix.length)) : undefined;
}
