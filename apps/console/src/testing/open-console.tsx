import { type Problem, problemCodes, type ProblemCode, type Route } from "@butler/contract";
import { createMemoryHistory } from "@tanstack/react-router";
import { cleanup, configure, render } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";
import { Providers } from "../app/providers.tsx";
import { createConsoleRouter } from "../app/router.ts";
import { liveKey } from "../data/live-store.ts";
import { createQueryClient } from "../data/query-client.ts";

/** A request made by the console. */
export interface SentRequest {
  readonly route: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Response of a route: data or a problem. */
export interface RouteAnswers {
  readonly route: Route;
  readonly answer: (request: SentRequest) => unknown;
}

/** Options of the console under test. */
export interface ConsoleOptions {
  readonly address: string;
  readonly answers: readonly RouteAnswers[];
  /** Items of live channels, by channel and team. */
  readonly live?: readonly {
    readonly channel: "clusters" | "notifications";
    readonly team: string;
    readonly items: readonly object[];
  }[];
}

/** A problem response. */
export class AnsweredProblem extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

// Pages are loaded lazily, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 20_000 });

/** Gives elements a size, which happy-dom does not compute: tables render only visible rows. */
function giveSizes(): void {
  for (const name of ["clientHeight", "offsetHeight"] as const) {
    vi.spyOn(HTMLElement.prototype, name, "get").mockReturnValue(600);
  }
  for (const name of ["clientWidth", "offsetWidth"] as const) {
    vi.spyOn(HTMLElement.prototype, name, "get").mockReturnValue(1_200);
  }
}

/** For a file whose tests each open a console: undoes what it leaves behind. */
export function closeConsoles(): void {
  const realFetch = globalThis.fetch;
  beforeEach(() => {
    localStorage.clear();
    giveSizes();
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    globalThis.fetch = realFetch;
  });
}

/** Opens the whole console at a URL with its real routes and a fake server. */
export function openConsole({ address, answers, live = [] }: ConsoleOptions) {
  const sent: SentRequest[] = [];
  globalThis.fetch = (input, init) =>
    Promise.resolve(respond(answers, sent, { input: typeof input === "string" ? input : "/", init }));
  const queries = createQueryClient();
  for (const { channel, team, items } of live) queries.setQueryData(liveKey(channel, { team }), { items });
  const router = createConsoleRouter(queries);
  router.update({ history: createMemoryHistory({ initialEntries: [address] }) } as never);
  const view = render(<Providers queries={queries} router={router} />);
  return { ...view, sent, router };
}

interface Asked {
  readonly input: string;
  readonly init: RequestInit | undefined;
}

function respond(answers: readonly RouteAnswers[], sent: SentRequest[], { input, init }: Asked): Response {
  const { pathname, searchParams } = new URL(input, "http://console.test");
  const method = init?.method ?? "GET";
  const found = answers.find(({ route }) => route.method === method && patternOf(route).test(pathname));
  if (found === undefined) return problemAnswer("NOT_FOUND", `${method} ${pathname} is not answered in this test`);
  const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
  const request = { route: found.route.id, path: pathname, query: Object.fromEntries(searchParams), body };
  sent.push(request);
  try {
    const answer = found.answer(request);
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
  } catch (error) {
    if (error instanceof AnsweredProblem) return problemAnswer(error.code, error.message);
    throw error;
  }
}

function patternOf({ path }: Route): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

function problemAnswer(code: ProblemCode, detail: string): Response {
  const { status, title } = problemCodes[code];
  const problem = { type: `/api/docs#problem-${code.toLowerCase()}`, title, status, code, detail, requestId: "r1" };
  return Response.json(problem satisfies Problem, { status });
}
