import { ProblemAnswer, problemCodes } from "@butler/contract";
import { ButlerError } from "@butler/std";
import type { ErrorFacts } from "@butler/ui";

/** What to show of an error: the server's own words where it has said something. */
export function errorFacts(error: unknown): ErrorFacts {
  if (error instanceof ProblemAnswer) {
    const { code, detail, hint, requestId } = error.problem;
    return { title: problemCodes[code].title, detail, code, hint, requestId };
  }
  if (error instanceof ButlerError) {
    return { title: "The server could not be reached", detail: error.message, code: error.code, hint: error.hint };
  }
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) {
    const hint = "Check the connection. What you had open is still here.";
    return { title: "The server could not be reached", detail: "There was no answer.", code: "OFFLINE", hint };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { title: "Something is wrong with this page", detail, code: "PAGE_FAILED", hint: "Reload the page." };
}

/** Faults of single fields, by the path of the field, for forms. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ProblemAnswer)) return {};
  const { errors = [] } = error.problem;
  return Object.fromEntries(errors.filter(({ field }) => field !== "").map(({ field, message }) => [field, message]));
}

/** Whether the error says that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemAnswer && error.code === "UNAUTHENTICATED";
}
