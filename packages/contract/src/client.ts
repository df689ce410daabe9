import { ButlerError, InvalidInput, Unavailable } from "@butler/std";
import type { z } from "zod";
import { type Problem, type ProblemCode, readProblem } from "./problem.ts";
import type { Route, RouteAnswer } from "./route.ts";

/** Input of a call: only what the route takes, in its input (unparsed) form. */
export type CallInput<R extends Route> = InputField<"params", z.input<R["params"]>> &
  InputField<"query", z.input<R["query"]>> &
  InputField<"body", z.input<NonNullable<R["body"]>>>;

/** A part is optional when none of its fields is required. */
type InputField<Name extends string, Value> = undefined extends Value
  ? { readonly [name in Name]?: Value }
  : Record<string, never> extends Value
    ? { readonly [name in Name]?: Value }
    : { readonly [name in Name]: Value };

/** Where the server is and how to reach it. */
export interface ClientOptions {
  /** Such as `https://butler.example.com`; empty for the page's own server. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
  /** Headers of every request: a bearer token, the CSRF token of a page. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** How to make one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A typed client: `client.call(listClusters, { query: { team: "payments" } })`. */
export interface Client {
  call<R extends Route>(route: R, input: CallInput<R>, options?: CallOptions): Promise<RouteAnswer<R>>;
}

/** An error response, with the server's message. */
export class ProblemAnswer extends ButlerError {
  readonly code: ProblemCode;
  readonly httpStatus: number;
  readonly isRetryable: boolean;
  readonly problem: Problem;

  constructor(answer: Problem) {
    super(answer.detail, answer.hint === undefined ? {} : { hint: answer.hint });
    this.problem = answer;
    this.code = answer.code;
    this.httpStatus = answer.status;
    this.isRetryable = answer.status === 429 || answer.status >= 502;
  }
}

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Creates a client. Sends nothing yet. */
export function createClient({ baseUrl, fetch: send = fetch, headers = () => ({}) }: ClientOptions): Client {
  return {
    async call<R extends Route>(route: R, input: CallInput<R>, options: CallOptions = {}): Promise<RouteAnswer<R>> {
      const { params = {}, query = {}, body } = input as Parts;
      const response = await send(baseUrl + pathOf(route, params) + queryOf(query), {
        method: route.method,
        headers: {
          accept: `${route.contentType}, application/problem+json`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers(),
          ...options.headers,
        },
        credentials: "same-origin",
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      if (!response.ok) throw await problemOf(response);
      if (response.status === 204) return undefined as RouteAnswer<R>;
      return (await (route.contentType === "application/json" ? response.json() : response.text())) as RouteAnswer<R>;
    },
  };
}

/** The path of a route with its parameters filled in. */
export function pathOf({ path }: Pick<Route, "path">, params: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (typeof value !== "string" || value === "") throw new InvalidInput(`${path} requires a value for ${name}`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) text.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return text.size === 0 ? "" : `?${text.toString()}`;
}

async function problemOf(response: Response): Promise<ButlerError> {
  const answer = readProblem(await response.json().catch(() => undefined));
  if (answer !== undefined) return new ProblemAnswer(answer);
  // Not a response of Butler: a proxy on the way answered.
  return new Unavailable(`${response.url} answered ${response.status}`);
}
