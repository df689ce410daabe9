import { changePassword, listOwnSessions } from "@butler/contract";
import { Button, Notice, Panel, TextField, useToast } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fieldErrors } from "../../data/error-facts.ts";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { ProblemNotice } from "../../parts/problem-view.tsx";
import { useMe } from "../../session/me.ts";
import { canSend, NewPassword } from "../../parts/new-password.tsx";

/** Changes the password of the signed-in user, which signs out all other browsers. */
export function PasswordTab() {
  const { email } = useMe();
  const toast = useToast();
  const { data } = useQuery(routeQuery(listOwnSessions, {}));
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const change = useRouteMutation(changePassword, {
    refreshes: [listOwnSessions],
    onSuccess: ({ ended }) => {
      for (const clear of [setCurrent, setPassword, setAgain]) clear("");
      const detail = ended === 0 ? undefined : `${ended} other ${ended === 1 ? "session" : "sessions"} ended.`;
      toast({ kind: "done", title: "Password changed", detail });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate({ body: { currentPassword: current, newPassword: password } });
  };
  const provider = data?.sessions.find(({ isCurrent, method }) => isCurrent && method === "oidc")?.provider;
  const errors = fieldErrors(change.error);
  return (
    <Panel title="Change password">
      {provider !== undefined && (
        <Notice tone="attention">
          You are signed in through {provider}. Change your {provider} password there, not here.
        </Notice>
      )}
      <form className="b-form" onSubmit={submit}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          error={errors["currentPassword"]}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <NewPassword
          email={email}
          password={password}
          again={again}
          error={errors["newPassword"]}
          onPassword={setPassword}
          onAgain={setAgain}
        />
        <p className="b-soft">Changing your password signs out all other browsers.</p>
        <ProblemNotice error={change.error} />
        <div className="b-form-actions">
          <Button
            type="submit"
            kind="primary"
            isBusy={change.isPending}
            disabled={current === "" || !canSend({ email, password, again })}
          >
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  );
}
