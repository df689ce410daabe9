import { useSyncExternalStore } from "react";

/** The same width at which style sheets turn to narrow screens. */
const query = "(max-width: 640px)";

let known: MediaQueryList | undefined;

/** Asked once: a table asks with every step that it is scrolled. */
function mediaQuery(): MediaQueryList {
  known ??= matchMedia(query);
  return known;
}

function follow(listener: () => void): () => void {
  const media = mediaQuery();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Whether the screen is narrow, as that of a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(follow, () => mediaQuery().matches);
}
