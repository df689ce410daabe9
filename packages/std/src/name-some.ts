/** The first few names of a list, for a message. */
export function nameSome(names: readonly string[], most = 10): string {
  const listed = names.slice(0, most).join(", ");
  return names.length <= most ? listed : `${listed} and ${names.length - most} more`;
}
