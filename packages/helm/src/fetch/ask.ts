import { type Reach, widerOf } from "./address-reach.ts";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { detourTarget, judgeDetour, type Purpose } from "./redirect.ts";
import type { HttpAnswer, Transport } from "./transport.ts";

/** Something that a repository is asked for, and how far the answer may come from. */
export interface Question {
  /** The repository as it was asked for; credentials go to it alone. */
  readonly repository: URL;
  readonly url: URL;
  readonly purpose: Purpose;
  readonly isDigestKnown?: boolean;
  readonly authorization?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ca?: string | undefined;
  /** The reach of the server that named this address; nothing narrower is asked by its word. */
  readonly floor?: Reach | undefined;
}

const redirections: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Asks, and follows where the answer leads as far as that is allowed. */
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
    // Who has been somewhere else on the way does not get the credentials back.
    isTrusted &&= withCredentials;
    const credentials = isTrusted && authorization !== undefined ? { authorization } : {};
    const answer = await transport.send({ url: to, headers: { ...headers, ...credentials }, ca, floor }, signal);
    floor = widerOf(floor, answer.reach);
    if (!redirections.has(answer.status)) return { ...answer, reach: floor };
    answer.discard();
    const target = detourTarget(to, answer.headers.location);
    if (target === undefined) {
      throw new ChartUnavailable("RepositoryInvalid", `${to.host} leads to an address that cannot be read`);
    }
    [from, to] = [to, target];
  }
  throw new ChartUnavailable("RepositoryRedirected", `${repository.host} leads on more than ${redirects} times`, {
    hint: "Give the address where the charts really are.",
  });
}
