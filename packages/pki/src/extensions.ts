import { InvalidInput } from "@butler/std";
import { childrenOf, type DerElement, derTags, expectTag, readObjectIdentifier } from "./der-reader.ts";
import { element, objectIdentifier, octetString, sequence } from "./der-writer.ts";

/** Reads a list of extensions into their contents by identifier. One that comes twice is refused: which would count? */
export function readExtensions(list: DerElement | undefined): ReadonlyMap<string, Buffer> {
  const extensions = new Map<string, Buffer>();
  for (const extension of childrenOf(list, derTags.sequence)) {
    const parts = childrenOf(extension, derTags.sequence);
    const identifier = readObjectIdentifier(parts[0]);
    // Whether it is critical may stand between the identifier and the content.
    const content = expectTag(parts.at(-1), derTags.octetString);
    if (extensions.has(identifier)) throw new InvalidInput(`the extension ${identifier} comes twice`);
    extensions.set(identifier, content.content);
  }
  return extensions;
}

/** An extension to write. */
export interface ExtensionToWrite {
  readonly identifier: string;
  readonly content: Buffer;
  /** True when those who do not know the extension must refuse the certificate. */
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
