import { refusalCauses } from "@butler/kube";
import { Forbidden, InvalidInput } from "@butler/std";

const action = /^(?:get|list|create|replace|apply|patch|delete) \S+(?: \S+)?: /;
const webhook = /^.*?admission webhook "[^"]+" denied the request: /s;
const schema = /^.*?(?:\S+ "[^"]*" is invalid|strict decoding error): /s;
const access = /^.*?User "[^"]*" cannot /s;

/** Why the API server refused a request, reason by reason; undefined for an error that is no refusal of its. */
export function refusalReasons(error: unknown): readonly string[] | undefined {
  if (!isRefusal(error)) return undefined;
  const causes = refusalCauses(error).map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
  return causes.length > 0 ? [...new Set(causes)] : reasonsInText(error.message);
}

/** What was made up on this side, such as a name that cannot be one, has no status of HTTP. */
function isRefusal(error: unknown): error is InvalidInput | Forbidden {
  const isOfItsKind = error instanceof InvalidInput || error instanceof Forbidden;
  return isOfItsKind && typeof error.details["status"] === "number";
}

/** For answers that do not list their causes: unknown fields, what a role does not allow, others' webhooks. */
function reasonsInText(message: string): readonly string[] {
  for (const before of [webhook, schema]) if (before.test(message)) return separate(message.replace(before, ""));
  if (access.test(message)) return [message.replace(access, "you may not ")];
  return separate(message.replace(action, ""));
}

/** Where the next reason of Butler's webhooks begins: with a field, or with who has a limit. A reason may have a `;` itself. */
const nextReason =
  /\n|; (?=(?:spec|metadata)[.[:]|team \S+:|team \S+ on |one cluster of |environment \S+ of |\S+ in environment )/;

/** The API server puts several causes into brackets, and Butler's webhooks one after another. */
function separate(text: string): string[] {
  const inner = /^\[(.*)\]$/s.exec(text.trim())?.[1];
  const parts = inner === undefined ? text.split(nextReason) : inner.split(/, (?=[\w.[\]]+: )/);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The error for people: what was refused, and each reason on a line of its own. Other errors stay as they are. */
export function explainRefusal(what: string, error: unknown): unknown {
  const reasons = refusalReasons(error);
  if (reasons === undefined || !isRefusal(error)) return error;
  const message = [`${what} is refused:`, ...reasons.map((reason) => `  ${reason}`)].join("\n");
  const options = { details: error.details, hint: "Nothing was changed." };
  // What a person may not do is something else than what nobody can: scripts tell them apart by the exit code.
  return error instanceof Forbidden ? new Forbidden(message, options) : new InvalidInput(message, options);
}
