import { EmptyState, LoadingState } from "@butler/ui";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { ProblemView } from "../parts/problem-view.tsx";

/** In place of a page that could not be shown. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return <ProblemView error={error} onRetry={retry} />;
}

/** In place of a page that there is not. */
export function PageMissing() {
  return (
    <EmptyState
      title="There is no such page"
      sentence="It may have had another name."
      action={<Link to="/">Go to the start</Link>}
    />
  );
}

/** While a page is on its way. */
export function PagePending() {
  return (
    <div className="b-page">
      <LoadingState />
    </div>
  );
}
