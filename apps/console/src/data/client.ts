import { type Client, createClient } from "@butler/contract";
import { readCsrfToken } from "./cookie.ts";
import { sessionFetch } from "./session-fetch.ts";

const place = "butler.refreshed-at";

/** The API client of this origin, with the session of this browser. */
export const client: Client = createClient({
  baseUrl: "",
  fetch: sessionFetch({
    fetch: (input, init) => fetch(input, init),
    csrfToken: () => readCsrfToken(document.cookie),
    exclusively: (work) =>
      // Web Locks exist only in secure contexts; without them, concurrent refreshes in two tabs can end the session.
      "locks" in navigator ? navigator.locks.request("butler-refresh", work) : work(),
    refreshedAt: {
      get: () => Number(localStorage.getItem(place) ?? 0),
      set: (ms) => localStorage.setItem(place, String(ms)),
    },
    now: () => Date.now(),
  }),
});
