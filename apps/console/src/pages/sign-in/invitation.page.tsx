import { setPassword as setPasswordRoute, showInvitation } from "@butler/contract";
import { Button, EmptyState } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { fieldErrors } from "../../data/error-facts.ts";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { ProblemNotice } from "../../parts/problem-view.tsx";
import { QueryView } from "../../parts/query-view.tsx";
import { canSend, NewPassword } from "../../parts/new-password.tsx";
import { useEntered } from "./use-entered.ts";

/** Target of an invitation link: sets the first password, or replaces a forgotten one. */
export function InvitationPage() {
  const { token } = getRouteApi("/public/invite/$token").useParams();
  const invitation = useQuery(routeQuery(showInvitation, { params: { token } }));
  return (
    <QueryView query={invitation}>
      {({ valid, email = "", displayName = "" }) =>
        valid ? (
          <PasswordForm token={token} email={email} name={displayName} />
        ) : (
          <EmptyState
            title="This invitation is no longer valid"
            sentence="The link was already used or has expired. Ask a platform administrator for a new invitation."
            action={<Link to="/sign-in">Sign in</Link>}
          />
        )
      }
    </QueryView>
  );
}

interface PasswordFormProps {
  readonly token: string;
  readonly email: string;
  readonly name: string;
}

function PasswordForm({ token, email, name }: PasswordFormProps) {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const enter = useEntered();
  const set = useRouteMutation(setPasswordRoute, { onSuccess: () => enter("/") });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    set.mutate({ body: { token, password } });
  };
  return (
    <form className="b-form" onSubmit={submit}>
      <h1>{name === "" ? "Welcome" : `Welcome, ${name}`}</h1>
      <p className="b-soft">
        Choose a password for <strong>{email}</strong>.
      </p>
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <NewPassword
        email={email}
        password={password}
        again={again}
        error={fieldErrors(set.error)["password"]}
        onPassword={setPassword}
        onAgain={setAgain}
      />
      <ProblemNotice error={set.error} />
      <Button type="submit" kind="primary" isBusy={set.isPending} disabled={!canSend({ email, password, again })}>
        Set password and sign in
      </Button>
    </form>
  );
}
