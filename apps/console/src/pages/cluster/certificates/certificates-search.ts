import { type SearchInput, textParam, wordParam } from "../../../data/search-params.ts";

/** What the tab of certificates shows, as the address has it. */
export interface CertificatesSearch {
  /** Fingerprint of the certificate that is open. */
  readonly cert?: string | undefined;
  readonly rotate?: "yes" | undefined;
}

/** Reads the address. */
export function certificatesSearch(search: SearchInput): CertificatesSearch {
  return { ...textParam(search, "cert"), ...wordParam(search, "rotate", ["yes"]) };
}
