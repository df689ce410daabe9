const enough = 10;

/** Some names for a message, the first ones of many. */
export function nameSome(names: readonly string[]): string {
  const listed = names.slice(0, enough).join(", ");
  return names.length <= enough ? listed : `${listed} and ${names.length - enough} more`;
}
