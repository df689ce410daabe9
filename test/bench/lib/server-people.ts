import { Agent, type Dispatcher } from "undici";
import { benchPassword } from "./server-fleet.ts";

/** URL and CA of the server. */
export interface ServerAddress {
  readonly url: string;
  readonly ca: string;
}

let requests = 0;

/** Headers of a proxy with the client address; a different address each time. */
export function forwarded(): Record<string, string> {
  requests = (requests + 1) % 2 ** 24;
  return { "x-forwarded-for": `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}` };
}

/** Signs users in with their passwords, and sends requests as them. */
export class ServerPeople {
  readonly #agent: Agent;
  readonly #url: string;
  readonly #tokens = new Map<string, { readonly token: Promise<string>; readonly atMs: number }>();

  constructor({ url, ca }: ServerAddress) {
    this.#url = url;
    this.#agent = new Agent({ connections: 8, connect: { ca } });
  }

  /** An access token of a user; starts a new session if the last token is about to expire. */
  token(email: string): Promise<string> {
    const known = this.#tokens.get(email);
    if (known !== undefined && performance.now() - known.atMs < 240_000) return known.token;
    const token = this.#signIn(email);
    this.#tokens.set(email, { token, atMs: performance.now() });
    return token;
  }

  /** A ticket for one WebSocket. */
  async ticket(email: string): Promise<string> {
    const authorization = `Bearer ${await this.token(email)}`;
    const answer = await this.#post("/api/live/tickets", { authorization }, {});
    if (answer.statusCode !== 201) throw new Error(`no ticket for ${email}: ${await answer.body.text()}`);
    return ((await answer.body.json()) as { ticket: string }).ticket;
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  async #signIn(email: string): Promise<string> {
    const answer = await this.#post("/api/auth/login", {}, { email, password: benchPassword });
    const text = await answer.body.text();
    const cookies = [answer.headers["set-cookie"] ?? []].flat().join("\n");
    const token = /^butler_session=([^;]+)/m.exec(cookies)?.[1];
    if (token === undefined) throw new Error(`${email} cannot sign in: ${answer.statusCode} ${text}`);
    return token;
  }

  #post(path: string, headers: Record<string, string>, body: object): Promise<Dispatcher.ResponseData> {
    return this.#agent.request({
      origin: this.#url,
      path,
      method: "POST",
      headers: { ...forwarded(), "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }
}
