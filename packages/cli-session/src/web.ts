import { rootCertificates } from "node:tls";
import { Agent, fetch } from "undici";

/** The web as it is seen with a further authority for certificates. */
export interface Web {
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/**
 * Opens connections that trust an authority besides those that everybody knows. In a file of its own, which is loaded when
 * it is needed: a bundle cannot load the package itself so late by the names of what it has.
 */
export function openWeb(certificateAuthority: string | undefined): Web {
  const connect = certificateAuthority === undefined ? {} : { ca: [...rootCertificates, certificateAuthority] };
  const dispatcher = new Agent({ connect });
  return {
    fetch: (input, init) => fetch(input, { ...(init as object), dispatcher }),
    close: () => dispatcher.close(),
  };
}
