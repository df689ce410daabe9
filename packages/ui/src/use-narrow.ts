import { useSyncExternalStore } from "react";

/** The breakpoint of the style sheets for narrow screens. */
const query = "(max-width: 640px)";

let known: MediaQueryList | undefined;

/** Created once: tables read it on every scroll step. */
function mediaQuery(): MediaQueryList {
  known ??= matchMedia(query);
  return known;
}

function follow(listener: () => void): () => void {
  const media = mediaQuery();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Whether the screen is narrow, such as on a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(follow, () => mediaQuery().matches);
}
