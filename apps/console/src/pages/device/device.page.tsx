import { approveDevice, denyDevice, showDevice } from "@butler/contract";
import { Button, EmptyState, Facts, Moment, Notice, Page, Panel, TextField } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { ProblemNotice } from "../../parts/problem-view.tsx";
import { QueryView } from "../../parts/query-view.tsx";

const route = getRouteApi("/signed-in/auth/device");

/** Approves or denies a CLI sign-in after showing its source and permissions. Requires an explicit click. */
export function DevicePage() {
  const { user_code: code } = route.useSearch();
  return <Page title="Authorize CLI">{code === undefined ? <CodeForm /> : <Request code={code} key={code} />}</Page>;
}

function CodeForm() {
  const navigate = route.useNavigate();
  const [code, setCode] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({ search: { user_code: code } });
  };
  return (
    <Panel title="Enter code">
      <form className="b-form" onSubmit={submit}>
        <TextField
          label="Code"
          hint="Shown by the CLI, for example BCDF-GHJK."
          required
          autoFocus
          autoComplete="off"
          className="b-mono"
          value={code}
          onChange={(event) => setCode(event.target.value.toUpperCase())}
        />
        <div className="b-form-actions">
          <Button type="submit" kind="primary" disabled={code.replaceAll(/[^A-Z]/g, "").length < 8}>
            Continue
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function Request({ code }: { readonly code: string }) {
  const query = useQuery({ ...routeQuery(showDevice, { query: { user_code: code } }), retry: false });
  const approve = useRouteMutation(approveDevice);
  const deny = useRouteMutation(denyDevice);
  const body = { user_code: code };
  const decided = approve.data ?? deny.data;
  if (decided !== undefined) {
    return decided.state === "approved" ? (
      <EmptyState title="CLI signed in" sentence="You can close this page and return to your terminal." />
    ) : (
      <EmptyState title="Sign-in request denied" sentence="The CLI has no access." />
    );
  }
  return (
    <QueryView query={query}>
      {({ clientName, sourceAddress, requestedAt, grants, state }) => (
        <Panel title={`Authorize ${clientName === "" ? "the CLI" : clientName} to act as you?`}>
          <Notice tone="attention">
            Approve only a request that you started yourself. The client chooses its own name.
          </Notice>
          <Facts
            facts={[
              ["Code", <code key="code">{code}</code>],
              ["Source address", sourceAddress],
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
          <div className="b-form-actions">
            <Button
              kind="primary"
              isBusy={approve.isPending}
              disabled={state !== "pending"}
              onClick={() => approve.mutate({ body })}
            >
              Approve
            </Button>
            <Button isBusy={deny.isPending} disabled={state !== "pending"} onClick={() => deny.mutate({ body })}>
              Deny
            </Button>
          </div>
        </Panel>
      )}
    </QueryView>
  );
}
