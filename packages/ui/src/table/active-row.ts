/** The active row after a key press; undefined if the table does not handle the key. */
export function nextActiveRow(
  key: string,
  active: number,
  { count, page }: { readonly count: number; readonly page: number },
) {
  const move = movesOf(page).get(key);
  if (move === undefined || count === 0) return undefined;
  const wanted = typeof move === "number" ? active + move : move === "first" ? 0 : count - 1;
  return Math.min(count - 1, Math.max(0, wanted));
}

function movesOf(page: number): ReadonlyMap<string, number | "first" | "last"> {
  return new Map<string, number | "first" | "last">([
    ["ArrowDown", 1],
    ["j", 1],
    ["ArrowUp", -1],
    ["k", -1],
    ["PageDown", page],
    ["PageUp", -page],
    ["Home", "first"],
    ["End", "last"],
  ]);
}
