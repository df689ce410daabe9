import { ToastProvider } from "@butler/ui";
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type RouteComponent,
  RouterProvider,
} from "@tanstack/react-router";
import { configure, render } from "@testing-library/react";
import { createQueryClient } from "../data/query-client.ts";

// On a busy machine the default timeout of one second is too short.
configure({ asyncUtilTimeout: 30_000 });

/** A request as the page sent it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Answers a request; undefined means not found. */
export type Answering = (sent: Sent) => unknown;

/** Fake server: records requests and answers them. Returns a function to restore fetch. */
export function serve(answer: Answering): { readonly sent: Sent[]; readonly stop: () => void } {
  const before = globalThis.fetch;
  const sent: Sent[] = [];
  globalThis.fetch = async (input, init) => {
    const request = new Request(new URL(typeof input === "string" ? input : "/", "http://localhost"), init);
    const text = await request.text();
    const one = {
      method: request.method,
      path: new URL(request.url).pathname,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
    sent.push(one);
    const found = answer(one);
    return Response.json(found ?? {}, { status: statusOf(one, found) });
  };
  return { sent, stop: () => void (globalThis.fetch = before) };
}

function statusOf({ method, path }: Sent, found: unknown): number {
  if (found === undefined) return 404;
  if (method === "DELETE") return 202;
  return method === "POST" && path === "/api/clusters" ? 201 : 200;
}

/** Route and data of a staged page. */
export interface Staged {
  /** Below the team, such as `clusters/new`. */
  readonly path: string;
  readonly at: string;
  readonly team: unknown;
  readonly page: RouteComponent;
  /** Loader data of the route. */
  readonly loaded?: unknown;
  /** Child route, for nested pages. */
  readonly child?: { readonly path: string; readonly page: RouteComponent };
}

/** Renders a page at its path with the route IDs that it uses. */
export function stage({ path, at, team, page, loaded, child }: Staged) {
  const root = createRootRoute({ component: Outlet });
  const signedIn = createRoute({ getParentRoute: () => root, id: "signed-in", component: Outlet });
  const ofTeam = createRoute({
    getParentRoute: () => signedIn,
    path: "t/$team",
    component: Outlet,
    loader: () => team,
  });
  const own = createRoute({ getParentRoute: () => ofTeam, path, component: page, loader: () => loaded ?? null });
  const below = child && createRoute({ getParentRoute: () => own, path: child.path, component: child.page });
  const elsewhere = createRoute({ getParentRoute: () => ofTeam, path: "$", component: () => <p>elsewhere</p> });
  const router = createRouter({
    routeTree: root.addChildren([
      signedIn.addChildren([ofTeam.addChildren([below === undefined ? own : own.addChildren([below]), elsewhere])]),
    ]),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <ToastProvider>
        <RouterProvider router={router as never} />
      </ToastProvider>
    </QueryClientProvider>,
  );
  return { ...view, router };
}
