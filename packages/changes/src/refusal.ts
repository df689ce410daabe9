import { ButlerError, Forbidden, InvalidInput } from "@butler/std";

/** Who said no to a request, and why. */
export interface Refusal {
  /** `webhook`, `schema`, `access` or `other`. */
  readonly by: "webhook" | "schema" | "access" | "other";
  readonly reasons: readonly string[];
}

const webhookText = /admission webhook "([^"]+)" denied the request: (.+)$/s;
const schemaText = /(?:TenantCluster\S*|"") "[^"]*" is invalid: (.+)$/s;
const accessText = /User "[^"]*" cannot (.+)$/s;
const strictText = /strict decoding error: (.+)$/s;

/** Takes the API server's refusal apart; undefined for an error that is none. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof InvalidInput) && !(error instanceof Forbidden)) return undefined;
  const { message } = error;
  const webhook = webhookText.exec(message);
  if (webhook !== null) return { by: "webhook", reasons: separate(webhook[2] ?? "") };
  const schema = schemaText.exec(message) ?? strictText.exec(message);
  if (schema !== null) return { by: "schema", reasons: separate(schema[1] ?? "") };
  const access = accessText.exec(message);
  if (access !== null) return { by: "access", reasons: [`you may not ${access[1] ?? ""}`] };
  return { by: "other", reasons: [message] };
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

/** The error for people: what was refused, and each reason on a line of its own. */
export function explainRefusal(what: string, error: unknown): unknown {
  const refusal = refusalOf(error);
  if (refusal === undefined || !(error instanceof ButlerError)) return error;
  const message = [`${what} is refused:`, ...refusal.reasons.map((reason) => `  ${reason}`)].join("\n");
  const hint = refusal.by === "webhook" ? { hint: "Nothing was changed." } : {};
  const options = { details: error.details, ...hint };
  // What a person may not do is something else than what nobody can: scripts tell them apart by the exit code.
  return error instanceof Forbidden ? new Forbidden(message, options) : new InvalidInput(message, options);
}
