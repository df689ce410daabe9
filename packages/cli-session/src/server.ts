import type { Terminal } from "@butler/cli-kit";
import type { Client } from "@butler/contract";
import { describeError, InvalidInput, Unavailable } from "@butler/std";

/** Which butler-server to connect to, and with which credentials. */
export interface ServerAddress {
  readonly server: string;
  /** CA certificates of the server in PEM, if the system does not trust them. */
  readonly certificateAuthority?: string | undefined;
  readonly accessToken?: string | undefined;
}

/** A connection to butler-server. */
export interface ServerConnection {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

/** Normalizes an address. Plain HTTP would expose tokens on the network, so it is allowed for this machine only. */
export function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidInput(`"${text}" is not a valid server URL`, {
      hint: "Use a URL such as https://butler.example.com.",
    });
  }
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !isHere) {
    throw new InvalidInput(`refusing to connect to ${url.origin} over plain HTTP`, {
      hint: `Use https://${url.host}; pass its CA certificate with --ca if the system does not trust it.`,
    });
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Connects to butler-server. Always verifies its certificate. Logs requests if the terminal is verbose. */
export async function connectServer(address: ServerAddress, terminal?: Terminal): Promise<ServerConnection> {
  const { server, certificateAuthority, accessToken } = address;
  // Most commands use only the Kubernetes API and need none of this.
  const [{ createClient }, { openWeb }] = await Promise.all([import("@butler/contract"), import("./web.ts")]);
  const web = openWeb(certificateAuthority);
  const send = async (input: string, init: RequestInit): Promise<Response> => {
    const tell = requestTeller(terminal, `${init.method ?? "GET"} ${new URL(input).pathname}`);
    try {
      const response = await web.fetch(input, init);
      tell(response.status);
      return response;
    } catch (error) {
      tell(undefined);
      throw unreachable(server, error);
    }
  };
  const headers = (): Record<string, string> => ({
    "user-agent": "butlerctl",
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
  });
  return {
    client: createClient({ baseUrl: server, fetch: send as typeof fetch, headers }),
    close: web.close,
  };
}

/** Omits query strings, because they may contain codes. */
function requestTeller(terminal: Terminal | undefined, request: string): (status: number | undefined) => void {
  if (terminal?.loudness !== "verbose") return () => undefined;
  const { clock, say } = terminal;
  const startedAt = clock.monotonicMs();
  return (status) => say(`${request} ${status ?? "no response"} ${Math.round(clock.monotonicMs() - startedAt)} ms`);
}

function unreachable(server: string, error: unknown): Unavailable {
  const reason = describeError(error);
  const isDistrust = /certificate|self.signed|issuer|altname/i.test(reason);
  return new Unavailable(`cannot reach ${server}: ${reason}`, {
    hint: isDistrust
      ? "Pass the CA certificate file with --ca."
      : "Check the URL, and check that the server is running.",
  });
}
