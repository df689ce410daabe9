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

// What is awaited comes when it comes; on a busy machine that is not within the library's one second.
configure({ asyncUtilTimeout: 30_000 });

/** A request as the page sent it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Answers a request; undefined for "there is no such thing". */
export type Answering = (sent: Sent) => unknown;

/** Stands for the server: remembers what is asked, and answers. Gives back how to undo it. */
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

/** Where a page stands, and what is there. */
export interface Staged {
  /** Below the team, such as `clusters/new`. */
  readonly path: string;
  readonly at: string;
  readonly team: unknown;
  readonly page: RouteComponent;
  /** What the route of the page has loaded. */
  readonly loaded?: unknown;
  /** Further parts of the path, for pages that stand inside another. */
  readonly child?: { readonly path: string; readonly page: RouteComponent };
}

/** Shows a page at its address, with routes of the names that it asks for. */
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
