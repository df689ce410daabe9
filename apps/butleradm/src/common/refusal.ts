import { refusalCauses } from "@butler/kube";
import { type ButlerError, Forbidden, InvalidInput } from "@butler/std";

const action = /^(?:get|list|create|replace|apply|patch|delete) \S+(?: \S+)?: /;
const webhook = /^.*admission webhook "[^"]*" denied the request: /s;

/** The error for people: what was refused, and each reason on a line of its own. Other errors stay as they are. */
export function explainRefusal(what: string, error: unknown): unknown {
  const isRefusal = error instanceof InvalidInput || error instanceof Forbidden;
  if (!isRefusal || typeof error.details["status"] !== "number") return error;
  const message = [`${what} is refused:`, ...reasonsOf(error).map((reason) => `  ${reason}`)].join("\n");
  const options = { details: error.details, hint: "Nothing was changed." };
  return error instanceof Forbidden ? new Forbidden(message, options) : new InvalidInput(message, options);
}

/** What a refusal says, reason by reason. */
export function reasonsOf(error: ButlerError): readonly string[] {
  const causes = refusalCauses(error).map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
  return causes.length > 0 ? causes : error.message.replace(action, "").replace(webhook, "").split("\n");
}
