import { type Client, createClient } from "@butler/contract";
import { readCookie } from "./cookie.ts";
import { sessionFetch } from "./session-fetch.ts";

const place = "butler.refreshed-at";

/** The client of the page's own server, with the session of this browser. */
export const client: Client = createClient({
  baseUrl: "",
  fetch: sessionFetch({
    fetch: (input, init) => fetch(input, init),
    csrfToken: () => readCookie("butler_csrf", document.cookie),
    exclusively: (work) =>
      // Only pages that came safely have locks; without them a refresh in two tabs at once can end the session.
      "locks" in navigator ? navigator.locks.request("butler-refresh", work) : work(),
    refreshedAt: {
      get: () => Number(localStorage.getItem(place) ?? 0),
      set: (ms) => localStorage.setItem(place, String(ms)),
    },
    now: () => Date.now(),
  }),
});
