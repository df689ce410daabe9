import { outgoingFetch } from "@butler/administration/issuers";

interface Kept {
  readonly value: string;
  readonly path: string;
}

/** A response and the URL it came from. */
export interface Visited {
  readonly url: URL;
  readonly response: Response;
}

/** The browser features that sign-in needs: cookies by host and path, and redirects up to a given URL. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, Kept>>();
  readonly #fetch: ReturnType<typeof outgoingFetch>;

  constructor(authorities: string) {
    this.#fetch = outgoingFetch({ allowLoopback: true, authorities });
  }

  /** Sends one request without following redirects. */
  async send(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    const headers = new Headers(init.headers);
    const cookie = this.#cookieFor(url);
    if (cookie !== "") headers.set("cookie", cookie);
    const response = await this.#fetch(url, { ...init, headers });
    for (const text of response.headers.getSetCookie()) this.#keep(url, text);
    return response;
  }

  /** Follows redirects until there are none, or until the next URL is one to stop at. */
  async visit(address: string | URL, stopAt: (url: URL) => boolean = () => false): Promise<Visited> {
    let url = new URL(address);
    for (let step = 0; step < 12; step++) {
      const response = await this.send(url);
      const location = response.headers.get("location");
      if (location === null) return { url, response };
      url = new URL(location, url);
      if (stopAt(url)) return { url, response };
    }
    throw new Error(`too many redirects, the last to ${url.href}`);
  }

  /** The value of a cookie of a host. */
  cookie(host: string, name: string): string | undefined {
    return this.#cookies.get(host)?.get(name)?.value;
  }

  /** Sets a cookie, as an attacker who stole it would. */
  plant(host: string, name: string, value: string): void {
    this.#jar(host).set(name, { value, path: "/" });
  }

  #cookieFor({ hostname, pathname }: URL): string {
    return [...(this.#cookies.get(hostname) ?? [])]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(path.replace(/\/?$/, "/")))
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ");
  }

  #keep({ hostname }: URL, text: string): void {
    const [pair = "", ...attributes] = text.split(";").map((part) => part.trim());
    const at = pair.indexOf("=");
    const name = pair.slice(0, at);
    const valueOf = (wanted: string): string | undefined =>
      attributes.find((attribute) => attribute.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const isOver = valueOf("max-age") === "0" || Date.parse(valueOf("expires") ?? "9999-01-01") <= Date.now();
    if (isOver) this.#jar(hostname).delete(name);
    else this.#jar(hostname).set(name, { value: pair.slice(at + 1), path: valueOf("path") ?? "/" });
  }

  #jar(host: string): Map<string, Kept> {
    const jar = this.#cookies.get(host) ?? new Map<string, Kept>();
    this.#cookies.set(host, jar);
    return jar;
  }
}
