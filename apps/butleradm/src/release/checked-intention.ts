import type { Terminal } from "@butler/cli-kit";
import type { Session } from "@butler/cli-session";
import { Forbidden } from "@butler/std";
import { renderResults, worstOf } from "../platform/check-result.ts";
import { preflight } from "./preflight.ts";
import { type Intention, readPreflight } from "./read-preflight.ts";

/** Runs the preflight checks, prints their results, and fails if Butler cannot be installed. */
export async function requireReadiness(
  { terminal, session }: { readonly terminal: Terminal; readonly session: Session },
  intention: Intention,
): Promise<void> {
  const results = preflight(await readPreflight(session, intention));
  for (const line of renderResults(results, terminal.sayPaint)) terminal.say(line);
  if (worstOf(results) !== "fault") return;
  throw new Forbidden("preflight checks failed; nothing was changed", {
    hint: "Fix the problems marked FAULT above and try again.",
  });
}
