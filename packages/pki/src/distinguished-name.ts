import { InvalidInput } from "@butler/std";
import { childrenOf, type DerElement, derTags, readObjectIdentifier, readText } from "./der-reader.ts";
import { element, objectIdentifier, sequence, utf8String } from "./der-writer.ts";
import { identifiers } from "./object-identifiers.ts";

/** The subject of a certificate; Kubernetes uses the common name as the user and organizations as groups. */
export interface Subject {
  readonly commonNames: readonly string[];
  readonly organizations: readonly string[];
  /** The identifiers of all other fields. */
  readonly otherFields: readonly string[];
}

/** Reads the name of a subject. */
export function readSubject(name: DerElement | undefined): Subject {
  const fields = childrenOf(name, derTags.sequence)
    .flatMap((part) => childrenOf(part, derTags.set))
    .map((field) => {
      const [type, value] = childrenOf(field, derTags.sequence);
      return { type: readObjectIdentifier(type), value };
    });
  const textsOf = (wanted: string): string[] =>
    fields.flatMap(({ type, value }) => (type === wanted && value !== undefined ? [readText(value)] : []));
  const known: readonly string[] = [identifiers.commonName, identifiers.organization];
  return {
    commonNames: textsOf(identifiers.commonName),
    organizations: textsOf(identifiers.organization),
    otherFields: fields.map(({ type }) => type).filter((type) => !known.includes(type)),
  };
}

/** Writes the name of a subject. */
export function writeSubject(commonName: string, organizations: readonly string[] = []): Buffer {
  const field = (type: string, text: string): Buffer =>
    element(derTags.set, sequence(objectIdentifier(type), utf8String(parseName(text))));
  return sequence(
    ...organizations.map((name) => field(identifiers.organization, name)),
    field(identifiers.commonName, commonName),
  );
}

function parseName(text: string): string {
  if (text !== "" && text.isWellFormed() && !/\p{Cc}/u.test(text)) return text;
  throw new InvalidInput(`${JSON.stringify(text)} is not a valid name for a certificate`, {
    hint: "Use a name that has at least one character and no control characters.",
  });
}
