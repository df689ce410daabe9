import { useState } from "react";
import { createQueryClient } from "../data/query-client.ts";
import { Providers } from "./providers.tsx";
import { createConsoleRouter, fetchPage } from "./router.ts";

/** The console. */
export function App() {
  const [{ queries, router }] = useState(() => {
    const made = createQueryClient();
    const pages = createConsoleRouter(made);
    fetchPage(pages);
    return { queries: made, router: pages };
  });
  return <Providers queries={queries} router={router} />;
}
