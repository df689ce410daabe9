import { ToastProvider, TooltipProvider } from "@butler/ui";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import type { createConsoleRouter } from "./router.ts";

interface ProvidersProps {
  readonly queries: QueryClient;
  readonly router: ReturnType<typeof createConsoleRouter>;
}

/** The providers around the pages, outermost first. */
export function Providers({ queries, router }: ProvidersProps) {
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
