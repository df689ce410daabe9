import { ToastProvider, TooltipProvider } from "@butler/ui";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { createQueryClient } from "../data/query-client.ts";
import { createConsoleRouter, fetchPage } from "./router.ts";

/** The providers around the pages, outermost first. */
export function App() {
  const [{ queries, router }] = useState(() => {
    const made = createQueryClient();
    const pages = createConsoleRouter(made);
    fetchPage(pages);
    return { queries: made, router: pages };
  });
  return (
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </TooltipProvider>
    </QueryClientProvider>
  );
}
