import { appendFileSync } from "node:fs";

/** Counts expensive starts, so that the profile of a run can report them. */
export type Started = "API server" | "API server given back" | "engine";

/** Records that something was started; `npm test` sets the file. */
export function noteStarted(what: Started, name: string): void {
  const file = process.env["BUTLER_TEST_TALLY"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ what, name })}\n`);
}
