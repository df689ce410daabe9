import type { Terminal } from "@butler/cli-kit";
import type { Client } from "@butler/contract";
import { describeError, InvalidInput, Unavailable } from "@butler/std";

/** Which butler-server to speak to, and as whom. */
export interface ServerAddress {
  readonly server: string;
  /** Certificates that vouch for it, in PEM form, where the system's do not. */
  readonly certificateAuthority?: string | undefined;
  readonly accessToken?: string | undefined;
}

/** A connection with butler-server. */
export interface ServerConnection {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

/** An address as it is kept. Over plain HTTP everybody on the way could read tokens, so only this machine is reached so. */
export function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidInput(`"${text}" is not the address of a server`, { hint: "Such as https://butler.example.com." });
  }
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !isHere) {
    throw new InvalidInput(`${url.origin} would be spoken to without encryption`, {
      hint: `Use https://${url.host}; name its authority with --ca where the system does not know it.`,
    });
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Connects to butler-server. Its certificate is always looked at. Requests are told where the terminal wants them. */
export async function connectServer(address: ServerAddress, terminal?: Terminal): Promise<ServerConnection> {
  const { server, certificateAuthority, accessToken } = address;
  // Most commands speak to Kubernetes alone and need none of this.
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

/** Queries are left out: what is asked of the server may have codes in it. */
function requestTeller(terminal: Terminal | undefined, request: string): (status: number | undefined) => void {
  if (terminal?.loudness !== "verbose") return () => undefined;
  const { clock, say } = terminal;
  const startedAt = clock.monotonicMs();
  return (status) => say(`${request} ${status ?? "no answer"} ${Math.round(clock.monotonicMs() - startedAt)} ms`);
}

function unreachable(server: string, error: unknown): Unavailable {
  const reason = describeError(error);
  const isDistrust = /certificate|self.signed|issuer|altname/i.test(reason);
  return new Unavailable(`${server} cannot be reached: ${reason}`, {
    hint: isDistrust
      ? "Name the file with the authority's certificate with --ca."
      : "Is the address right, and is the server there?",
  });
}
