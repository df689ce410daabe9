import { InvalidInput } from "@butler/std";
import { childrenOf, type DerElement, derTags, expectTag, readObjectIdentifier } from "./der-reader.ts";
import { element, objectIdentifier, octetString, sequence } from "./der-writer.ts";

/** Reads an extension list into contents by identifier. Duplicates are rejected as ambiguous. */
export function readExtensions(list: DerElement | undefined): ReadonlyMap<string, Buffer> {
  const extensions = new Map<string, Buffer>();
  for (const extension of childrenOf(list, derTags.sequence)) {
    const parts = childrenOf(extension, derTags.sequence);
    const identifier = readObjectIdentifier(parts[0]);
    // The critical flag is optional between identifier and content.
    const content = expectTag(parts.at(-1), derTags.octetString);
    if (extensions.has(identifier)) throw new InvalidInput(`duplicate extension ${identifier}`);
    extensions.set(identifier, content.content);
  }
  return extensions;
}

/** An extension to write. */
export interface ExtensionToWrite {
  readonly identifier: string;
  readonly content: Buffer;
  /** True when readers that do not support the extension must reject the certificate. */
  readonly isCritical?: boolean;
}

/** Writes a list of extensions. */
export function writeExtensions(extensions: readonly ExtensionToWrite[]): Buffer {
  return sequence(
    ...extensions.map(({ identifier, content, isCritical = false }) =>
      sequence(
        objectIdentifier(identifier),
        ...(isCritical ? [element(derTags.boolean, Buffer.from([0xff]))] : []),
        octetString(content),
      ),
    ),
  );
}
