import { ProblemAnswer } from "@butler/contract";
import { Button, EmptyState, ErrorState, ForbiddenState, Notice } from "@butler/ui";
import { errorFacts } from "../data/error-facts.ts";

/** What went wrong, in place of what was wanted: the code, the sentence and the remedy. */
export function ProblemView({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error instanceof ProblemAnswer && error.code === "FORBIDDEN") {
    return <ForbiddenState sentence={`${error.problem.detail}. Ask an admin of the team, or of the platform.`} />;
  }
  if (error instanceof ProblemAnswer && error.code === "NOT_FOUND") {
    return (
      <EmptyState
        title={sentenceOf(error.problem.detail)}
        sentence="It may be gone, or have another name."
        action={
          <div className="b-form-actions">
            <Button kind="primary" onClick={() => history.back()}>
              Go back
            </Button>
            {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
          </div>
        }
      />
    );
  }
  const facts = errorFacts(error);
  return <ErrorState {...facts} detail={sentenceOf(facts.detail)} {...(onRetry && { onRetry })} />;
}

/** What went wrong with something that somebody has just tried, beside what they tried. */
export function ProblemNotice({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return undefined;
  const { detail, code, hint } = errorFacts(error);
  return (
    <Notice tone="failed">
      <span>
        {sentenceOf(detail)} {hint} {code !== undefined && <code className="b-soft">{code}</code>}
      </span>
    </Notice>
  );
}

/** The server's words as a sentence: it begins them small, as programs like it. */
function sentenceOf(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
