import { refusalCauses } from "@butler/kube";
import { Forbidden, InvalidInput } from "@butler/std";

const action = /^(?:get|list|create|replace|apply|patch|delete) \S+(?: \S+)?: /;
const webhook = /^.*?admission webhook "[^"]+" denied the request: /s;
const schema = /^.*?(?:\S+ "[^"]*" is invalid|strict decoding error): /s;
const access = /^.*?User "[^"]*" cannot /s;

/** The reasons why the API server rejected a request; undefined for an error that is not a rejection. */
export function refusalReasons(error: unknown): readonly string[] | undefined {
  if (!isRefusal(error)) return undefined;
  const causes = refusalCauses(error).map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
  return causes.length > 0 ? [...new Set(causes)] : reasonsInText(error.message);
}

/** Errors raised on the client, such as an invalid name, have no HTTP status. */
function isRefusal(error: unknown): error is InvalidInput | Forbidden {
  const isOfItsKind = error instanceof InvalidInput || error instanceof Forbidden;
  return isOfItsKind && typeof error.details["status"] === "number";
}

/** For responses without a list of causes: unknown fields, missing permissions, webhooks that are not Butler's. */
function reasonsInText(message: string): readonly string[] {
  for (const before of [webhook, schema]) if (before.test(message)) return separate(message.replace(before, ""));
  if (access.test(message)) return [message.replace(access, "you cannot ")];
  return separate(message.replace(action, ""));
}

/** Start of the next reason of Butler's webhooks: a field, or the owner of a limit. A reason may contain `;` itself. */
const nextReason =
  /\n|; (?=(?:spec|metadata)[.[:]|team \S+:|team \S+ on |one cluster of |environment \S+ of |\S+ in environment )/;

/** The API server puts several causes into brackets; Butler's webhooks join them with `;`. */
function separate(text: string): string[] {
  const inner = /^\[(.*)\]$/s.exec(text.trim())?.[1];
  const parts = inner === undefined ? text.split(nextReason) : inner.split(/, (?=[\w.[\]]+: )/);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The error for display: what was rejected, and each reason on its own line. Returns other errors unchanged. */
export function explainRefusal(what: string, error: unknown): unknown {
  const reasons = refusalReasons(error);
  if (reasons === undefined || !isRefusal(error)) return error;
  const message = [`${what} was rejected:`, ...reasons.map((reason) => `  ${reason}`)].join("\n");
  const options = { details: error.details, hint: "Nothing was changed." };
  // Scripts distinguish missing permissions from invalid input by the exit code.
  return error instanceof Forbidden ? new Forbidden(message, options) : new InvalidInput(message, options);
}
