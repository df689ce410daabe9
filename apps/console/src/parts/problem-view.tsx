import { ProblemAnswer } from "@butler/contract";
import { Button, EmptyState, ErrorState, ForbiddenState, Notice } from "@butler/ui";
import { errorFacts } from "../data/error-facts.ts";

/** Error page with code, message and remedy. */
export function ProblemView({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error instanceof ProblemAnswer && error.code === "FORBIDDEN") {
    return <ForbiddenState sentence={`${error.problem.detail}. Ask a team admin or platform admin.`} />;
  }
  if (error instanceof ProblemAnswer && error.code === "NOT_FOUND") {
    return (
      <EmptyState
        title={sentenceOf(error.problem.detail)}
        sentence="It may have been deleted or renamed."
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

/** Error of a user action, shown next to it. */
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

/** Capitalizes a server message. */
function sentenceOf(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
