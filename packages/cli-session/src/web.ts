import { rootCertificates } from "node:tls";
import { Agent, fetch } from "undici";

/** HTTP client with an additional CA. */
export interface Web {
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/**
 * Opens connections that trust an additional CA besides the system's. In a separate file that is loaded on demand,
 * because a bundle cannot lazily load the package itself with named imports.
 */
export function openWeb(certificateAuthority: string | undefined): Web {
  const connect = certificateAuthority === undefined ? {} : { ca: [...rootCertificates, certificateAuthority] };
  const dispatcher = new Agent({ connect });
  return {
    fetch: (input, init) => fetch(input, { ...(init as object), dispatcher }),
    close: () => dispatcher.close(),
  };
}
