import fc from "fast-check";
import type { CertificateRequest } from "../certificates.ts";

const label = fc.stringMatching(/^[a-z\d][-a-z\d]{0,20}$/);
const name = fc.string({ minLength: 1, maxLength: 80, unit: "binary" }).filter((text) => !/\p{Cc}/u.test(text));

/** Host names, some of them wildcards. */
export const dnsNames: fc.Arbitrary<string> = fc
  .tuple(fc.boolean(), fc.array(label, { minLength: 1, maxLength: 4 }))
  .map(([isWildcard, labels]) => [...(isWildcard ? ["*"] : []), "a", ...labels].join("."))
  .filter((text) => text.length <= 253);

/** Arbitrary request contents. */
export const certificateRequests: fc.Arbitrary<CertificateRequest> = fc.record({
  commonName: name,
  organizations: fc.array(name, { maxLength: 4 }),
  usages: fc.constantFrom(["server"], ["client"], ["server", "client"] as const),
  dnsNames: fc.array(dnsNames, { maxLength: 5 }),
  ipAddresses: fc.array(fc.oneof(fc.ipV4(), fc.ipV6()), { maxLength: 5 }),
});
