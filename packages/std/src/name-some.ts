const enough = 10;

/** The first few names of a list, for a message. */
export function nameSome(names: readonly string[]): string {
  const listed = names.slice(0, enough).join(", ");
  return names.length <= enough ? listed : `${listed} and ${names.length - enough} more`;
}
