import { EmptyState, LoadingState } from "@butler/ui";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { ProblemView } from "../parts/problem-view.tsx";

/** Shown when a page fails to render. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return <ProblemView error={error} onRetry={retry} />;
}

/** Shown for an unknown route. */
export function PageMissing() {
  return (
    <EmptyState
      title="Page not found"
      sentence="The page may have been moved or renamed."
      action={<Link to="/">Go to the home page</Link>}
    />
  );
}

/** Shown while a page loads. */
export function PagePending() {
  return (
    <div className="b-page">
      <LoadingState />
    </div>
  );
}
