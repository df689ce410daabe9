import { verifyAudit } from "@butler/contract";
import { Button, Notice } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { routeQuery } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { verifiedWords } from "./verify-facts.ts";

/** Verifies the integrity of the audit log and shows the result. */
export function VerifyPanel() {
  const check = useQuery({ ...routeQuery(verifyAudit, {}), enabled: false });
  const words = check.data === undefined ? undefined : verifiedWords(check.data);
  return (
    <div className="b-form">
      <div className="b-form-actions">
        <Button isBusy={check.isFetching} onClick={() => void check.refetch()}>
          Verify log
        </Button>
      </div>
      {words !== undefined && (
        <Notice tone={words.tone}>
          <div>
            {words.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        </Notice>
      )}
      <ProblemNotice error={check.error} />
    </div>
  );
}
