import { type Me, meQuery } from "../../../session/me.ts";
import { ToastProvider, TooltipProvider } from "@butler/ui";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactElement } from "react";

/** A request that a page has made. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Responses by method and path, without the query. */
export type Answers = Readonly<Record<string, unknown>>;

const ada: Me = { email: "ada@example.com", name: "Ada", teams: [], isPlatformAdmin: true, platformRole: "admin" };

/** Renders a part of a page with canned responses. Returns the requests that were made. */
export async function renderPage(
  element: ReactElement,
  { answers, me = {} }: { readonly answers: Answers; readonly me?: Partial<Me> },
) {
  const asked: Asked[] = [];
  globalThis.fetch = (input, init = {}) => {
    const path = new URL(input instanceof Request ? input.url : String(input), "http://console.example").pathname;
    const method = init.method ?? "GET";
    asked.push({ method, path, body: typeof init.body === "string" ? JSON.parse(init.body) : undefined });
    const answer = answers[`${method} ${path}`];
    return Promise.resolve(
      answer === undefined
        ? Response.json({ message: `no response for ${method} ${path}` }, { status: 404 })
        : Response.json(answer),
    );
  };
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  queries.setQueryData(meQuery.queryKey, { ...ada, ...me });
  const routeTree = createRootRoute({ component: () => element });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  await router.load();
  const view = render(
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <ToastProvider>
          <RouterProvider router={router as never} />
        </ToastProvider>
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return { ...view, asked };
}
