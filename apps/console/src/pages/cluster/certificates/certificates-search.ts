import { type SearchInput, textParam, wordParam } from "../../../data/search-params.ts";

/** State of the certificates tab, as kept in the URL. */
export interface CertificatesSearch {
  /** Fingerprint of the open certificate. */
  readonly cert?: string | undefined;
  readonly rotate?: "yes" | undefined;
}

/** Parses the search parameters. */
export function certificatesSearch(search: SearchInput): CertificatesSearch {
  return { ...textParam(search, "cert"), ...wordParam(search, "rotate", ["yes"]) };
}
