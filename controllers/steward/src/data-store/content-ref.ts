import type { DataStore } from "@butler/api";
import { type DynamicObject, keyText } from "@butler/resource";
import { InvalidInput, isRecord, NotFound } from "@butler/std";

type TlsConfig = NonNullable<DataStore["spec"]["tlsConfig"]>;

/** A piece of content, or the key of a Secret where it is found. */
export type ContentRef = TlsConfig["certificateAuthority"]["certificate"];

/** A key of a Secret. */
export type SecretKey = NonNullable<ContentRef["secretReference"]>;

/** Finds a Secret; gives undefined when there is none. */
export type FindSecret = (key: { name: string; namespace: string }) => Promise<DynamicObject | undefined>;

/** Every content of a DataStore, with the path of its field. */
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

/** The key of a Secret that a content is taken from; undefined when the content itself is given, which wins. */
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

/** Reads a content. Throws NotFound when its Secret or key is not there, InvalidInput when nothing is said. */
export async function resolveContent(
  path: string,
  ref: ContentRef | undefined,
  findSecret: FindSecret,
): Promise<string> {
  if (ref?.content !== undefined) return Buffer.from(ref.content, "base64").toString();
  const key = ref && secretKeyOf(ref);
  if (key === undefined) {
    throw new InvalidInput(`${path} is missing`, { hint: "Give the content itself or a secretReference to it." });
  }
  const secret = await findSecret(key);
  const text = secret && textOf(secret, key.keyPath);
  if (text !== undefined) return text;
  const what = secret === undefined ? "does not exist" : `has no key "${key.keyPath}"`;
  throw new NotFound(`Secret ${keyText(key)}, which ${path} refers to, ${what}`, {
    hint: "Create it, or correct the reference.",
  });
}
