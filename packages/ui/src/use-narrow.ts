import { useSyncExternalStore } from "react";

/** The same width at which style sheets turn to narrow screens. */
const query = "(max-width: 640px)";

function follow(listener: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Whether the screen is narrow, as that of a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(follow, () => matchMedia(query).matches);
}
