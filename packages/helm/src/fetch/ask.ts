import { type Reach, widerOf } from "@butler/std/outgoing";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { detourTarget, judgeDetour, type Purpose } from "./redirect.ts";
import type { HttpAnswer, Transport } from "./transport.ts";

/** A request to a repository, and where redirects may lead. */
export interface Question {
  /** The configured repository; credentials are sent only to it. */
  readonly repository: URL;
  readonly url: URL;
  readonly purpose: Purpose;
  readonly isDigestKnown?: boolean;
  readonly authorization?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ca?: string | undefined;
  /** The reach of the server that named this address; it may not refer to addresses with narrower reach. */
  readonly floor?: Reach | undefined;
}

const redirections: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends a request and follows allowed redirects. */
export async function ask(
  transport: Transport,
  question: Question,
  { redirects, signal }: { readonly redirects: number; readonly signal: AbortSignal },
): Promise<HttpAnswer> {
  const { repository, purpose, isDigestKnown = false, authorization, headers = {}, ca } = question;
  let { floor = "loopback" } = question;
  let [from, to] = [repository, question.url];
  let isTrusted = true;
  for (let hops = 0; hops <= redirects; hops += 1) {
    const { withCredentials } = judgeDetour({ repository, from, to, purpose, isDigestKnown });
    // After a redirect to another host, credentials are not sent again.
    isTrusted &&= withCredentials;
    const credentials = isTrusted && authorization !== undefined ? { authorization } : {};
    const answer = await transport.send({ url: to, headers: { ...headers, ...credentials }, ca, floor }, signal);
    floor = widerOf(floor, answer.reach);
    if (!redirections.has(answer.status)) return { ...answer, reach: floor };
    answer.discard();
    const target = detourTarget(to, answer.headers.location);
    if (target === undefined) {
      throw new ChartUnavailable("RepositoryInvalid", `${to.host} redirects to an invalid URL`);
    }
    [from, to] = [to, target];
  }
  throw new ChartUnavailable("RepositoryRedirected", `${repository.host} redirects more than ${redirects} times`, {
    hint: "Use the final URL of the redirects.",
  });
}
