import { approveDevice, denyDevice, showDevice } from "@butler/contract";
import { Button, EmptyState, Facts, Moment, Notice, Page, Panel, TextField } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { ProblemNotice } from "../../parts/problem-view.tsx";
import { QueryView } from "../../parts/query-view.tsx";

const route = getRouteApi("/signed-in/auth/device");

/**
 * Approves or denies a CLI sign-in after showing its source and permissions. A link may name the code, but only a code
 * that the user typed can be approved: the link may come from someone else.
 */
export function DevicePage() {
  const { user_code: linked } = route.useSearch();
  const [typed, setTyped] = useState<string>();
  const code = typed ?? linked;
  return (
    <Page title="Authorize CLI">
      {code === undefined ? (
        <Panel title="Enter code">
          <CodeForm onSubmit={setTyped} />
        </Panel>
      ) : (
        <Request code={code} isTyped={typed !== undefined} onType={setTyped} key={lettersOf(code)} />
      )}
    </Page>
  );
}

/** The letters of a code; users may leave out the dash. */
function lettersOf(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z]/g, "");
}

function CodeForm({ onSubmit }: { readonly onSubmit: (code: string) => void }) {
  const [code, setCode] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit(code);
  };
  return (
    <form className="b-form" onSubmit={submit}>
      <TextField
        label="Code"
        hint="Shown in your terminal, for example BCDF-GHJK."
        required
        autoFocus
        autoComplete="off"
        className="b-mono"
        value={code}
        onChange={(event) => setCode(event.target.value.toUpperCase())}
      />
      <div className="b-form-actions">
        <Button type="submit" kind="primary" disabled={lettersOf(code).length < 8}>
          Continue
        </Button>
      </div>
    </form>
  );
}

interface RequestProps {
  readonly code: string;
  readonly isTyped: boolean;
  readonly onType: (code: string) => void;
}

function Request({ code, isTyped, onType }: RequestProps) {
  const query = useQuery({ ...routeQuery(showDevice, { query: { user_code: code } }), retry: false });
  const approve = useRouteMutation(approveDevice);
  const deny = useRouteMutation(denyDevice);
  const body = { user_code: code };
  const decided = approve.data ?? deny.data;
  if (decided !== undefined) {
    return decided.state === "approved" ? (
      <EmptyState title="CLI signed in" sentence="You can close this page and return to your terminal." />
    ) : (
      <EmptyState title="Sign-in request denied" sentence="The CLI was not granted access." />
    );
  }
  return (
    <QueryView query={query}>
      {({ clientName, sourceAddress, requestedAt, grants, state }) => (
        <Panel title={`Authorize ${clientName === "" ? "a CLI" : clientName} to act as you?`}>
          <Notice tone="attention">
            Approve only a request that you just started yourself. The client's name is not verified.
          </Notice>
          <Facts
            facts={[
              ["Code", isTyped ? <code key="code">{code}</code> : undefined],
              ["Source IP", sourceAddress],
              [
                "Requested",
                <span key="asked">
                  <Moment at={requestedAt} /> ago
                </span>,
              ],
              [
                "Permissions",
                <ul key="grants">
                  {grants.map((grant) => (
                    <li key={grant}>{grant}</li>
                  ))}
                </ul>,
              ],
            ]}
          />
          <ProblemNotice error={approve.error ?? deny.error} />
          {isTyped || state !== "pending" ? null : <CodeForm onSubmit={onType} />}
          <div className="b-form-actions">
            {isTyped ? (
              <Button
                kind="primary"
                isBusy={approve.isPending}
                disabled={state !== "pending"}
                onClick={() => approve.mutate({ body })}
              >
                Approve
              </Button>
            ) : null}
            <Button isBusy={deny.isPending} disabled={state !== "pending"} onClick={() => deny.mutate({ body })}>
              Deny
            </Button>
          </div>
        </Panel>
      )}
    </QueryView>
  );
}
