import { refreshSession } from "@butler/contract";

/** What session requests need from the browser. */
export interface SessionFetchOptions {
  readonly fetch: typeof fetch;
  /** The current CSRF token; undefined without a session. */
  readonly csrfToken: () => string | undefined;
  /** Prevents concurrent refreshes from several tabs: a refresh token works only once. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  /** Time of the last refresh in any tab, in milliseconds. */
  readonly refreshedAt: { get(): number; set(ms: number): void };
  readonly now: () => number;
}

/** Paths whose 401 is about the submitted credentials, not about the session. */
const aboutCredentials: ReadonlySet<string> = new Set([refreshSession.path, "/api/auth/login", "/api/auth/setup"]);

/**
 * Sends requests with the session of this browser: with the CSRF token on writes, and again after a refresh when the
 * access token has expired. Concurrent requests share one refresh.
 */
export function sessionFetch(options: SessionFetchOptions): typeof fetch {
  const life: { refresh: Promise<boolean> | undefined } = { refresh: undefined };
  const send = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    const token = options.csrfToken();
    const isWrite = init.method !== undefined && init.method !== "GET";
    if (isWrite && token !== undefined) headers.set("x-butler-csrf", token);
    return options.fetch(input, { ...init, headers });
  };
  const refresh = async (failedAt: number): Promise<boolean> =>
    options.exclusively(async () => {
      // Another tab refreshed while this one waited; the cookies are shared.
      if (options.refreshedAt.get() > failedAt) return true;
      const answer = await send(refreshSession.path, { method: "POST", credentials: "same-origin" });
      if (answer.ok) options.refreshedAt.set(options.now());
      return answer.ok;
    });
  return async (input, init) => {
    const sentAt = options.now();
    const answer = await send(input, init);
    const path = typeof input === "string" ? input.split("?")[0] : undefined;
    if (answer.status !== 401 || path === undefined || aboutCredentials.has(path)) return answer;
    life.refresh ??= refresh(sentAt).finally(() => (life.refresh = undefined));
    return (await life.refresh) ? send(input, init) : answer;
  };
}
