/** Why charts are not to be fetched from an address, as the end of a sentence; undefined when they may. */
export function repositoryFault(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !["https:", "http:", "oci:", "oci+http:"].includes(url.protocol) || url.hostname === "") {
    return "must be an https, http or oci address";
  }
  if (url.username !== "" || url.password !== "") {
    return "must not contain a user or password, which everybody could read; put them into a Secret and name it in credentialsRef";
  }
  return undefined;
}
