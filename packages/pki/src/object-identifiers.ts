/** The names that X.509 and its relatives give to what a certificate can hold. */
export const identifiers = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  extensionRequest: "1.2.840.113549.1.9.14",
} as const;

/** What a certificate may be used for, by the name of the use. */
export const usageIdentifiers = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" } as const;
