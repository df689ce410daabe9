import type { DataStore } from "@butler/api";
import { type DynamicObject, keyText } from "@butler/resource";
import { InvalidInput, isRecord, NotFound } from "@butler/std";

type TlsConfig = NonNullable<DataStore["spec"]["tlsConfig"]>;

/** Inline content, or a reference to a key of a Secret. */
export type ContentRef = TlsConfig["certificateAuthority"]["certificate"];

/** A key of a Secret. */
export type SecretKey = NonNullable<ContentRef["secretReference"]>;

/** Finds a Secret; returns undefined when it does not exist. */
export type FindSecret = (key: { name: string; namespace: string }) => Promise<DynamicObject | undefined>;

/** All content references of a DataStore, with their field paths. */
export function contentRefs({ basicAuth, tlsConfig }: DataStore["spec"]): { path: string; ref: ContentRef }[] {
  const at = (path: string, ref: ContentRef | undefined) => (ref === undefined ? [] : [{ path: `spec.${path}`, ref }]);
  return [
    ...at("tlsConfig.certificateAuthority.certificate", tlsConfig?.certificateAuthority.certificate),
    ...at("tlsConfig.certificateAuthority.privateKey", tlsConfig?.certificateAuthority.privateKey),
    ...at("tlsConfig.clientCertificate.certificate", tlsConfig?.clientCertificate?.certificate),
    ...at("tlsConfig.clientCertificate.privateKey", tlsConfig?.clientCertificate?.privateKey),
    ...at("basicAuth.username", basicAuth?.username),
    ...at("basicAuth.password", basicAuth?.password),
  ];
}

/** The Secret key of a content; undefined when the content is inline, which takes precedence. */
export function secretKeyOf({ content, secretReference }: ContentRef): SecretKey | undefined {
  return content === undefined ? secretReference : undefined;
}

/** The text under a key of a Secret; undefined when the Secret does not have the key. */
export function textOf(secret: DynamicObject, keyPath: string): string | undefined {
  const value = isRecord(secret["data"]) ? secret["data"][keyPath] : undefined;
  return typeof value === "string" ? Buffer.from(value, "base64").toString() : undefined;
}

/** A text as a Secret holds it. */
export function encoded(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Reads a content. Throws NotFound when its Secret or key does not exist, InvalidInput when neither is set. */
export async function resolveContent(
  path: string,
  ref: ContentRef | undefined,
  findSecret: FindSecret,
): Promise<string> {
  if (ref?.content !== undefined) return Buffer.from(ref.content, "base64").toString();
  const key = ref && secretKeyOf(ref);
  if (key === undefined) {
    throw new InvalidInput(`${path} is required`, { hint: "Set either content or secretReference." });
  }
  const secret = await findSecret(key);
  const text = secret && textOf(secret, key.keyPath);
  if (text !== undefined) return text;
  const what = secret === undefined ? "does not exist" : `has no key "${key.keyPath}"`;
  throw new NotFound(`Secret ${keyText(key)}, referenced by ${path}, ${what}`, {
    hint: "Create it, or fix the reference.",
  });
}
