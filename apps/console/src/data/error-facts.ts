import { ProblemAnswer, problemCodes } from "@butler/contract";
import { ButlerError } from "@butler/std";
import type { ErrorFacts } from "@butler/ui";

/** What to display for an error: the server's own message if it sent one. */
export function errorFacts(error: unknown): ErrorFacts {
  if (error instanceof ProblemAnswer) {
    const { code, detail, hint, requestId } = error.problem;
    return { title: problemCodes[code].title, detail, code, hint, requestId };
  }
  if (error instanceof ButlerError) {
    return { title: "Cannot reach the server", detail: error.message, code: error.code, hint: error.hint };
  }
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) {
    const hint = "Check your network connection. The page shows the last loaded data.";
    return { title: "Cannot reach the server", detail: "The server did not respond.", code: "OFFLINE", hint };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { title: "Unexpected error", detail, code: "PAGE_FAILED", hint: "Reload the page." };
}

/** Field errors for forms, by field path. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ProblemAnswer)) return {};
  const { errors = [] } = error.problem;
  return Object.fromEntries(errors.filter(({ field }) => field !== "").map(({ field, message }) => [field, message]));
}

/** Whether the error means that the user is signed out. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemAnswer && error.code === "UNAUTHENTICATED";
}
