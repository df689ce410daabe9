/** Why an address is invalid, as the end of a sentence; undefined when it is valid. */
export function repositoryFault(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !["https:", "http:", "oci:", "oci+http:"].includes(url.protocol) || url.hostname === "") {
    return "must be an https, http or oci URL";
  }
  if (url.username !== "" || url.password !== "") {
    return "must not contain a username or password; store them in a Secret and reference it in credentialsRef";
  }
  return undefined;
}
