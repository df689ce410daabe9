import { listSignInProviders, signInErrors, signInWithPassword, type RouteAnswer } from "@butler/contract";
import { Button, buttonLook, Notice, TextField } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { ownPath } from "../../data/search-params.ts";
import { ProblemNotice } from "../../parts/problem-view.tsx";
import { QueryView } from "../../parts/query-view.tsx";
import { useEntered } from "./use-entered.ts";

const route = getRouteApi("/public/sign-in");

/** The sign-in methods of this installation. */
export function SignInPage() {
  const ways = useQuery(routeQuery(listSignInProviders, {}));
  return (
    <QueryView query={ways}>
      {(found) => (found.setupNeeded ? <Navigate to="/setup" /> : <Ways ways={found} />)}
    </QueryView>
  );
}

function Ways({ ways }: { readonly ways: RouteAnswer<typeof listSignInProviders> }) {
  const { to, error } = route.useSearch();
  const words: Readonly<Record<string, string>> = signInErrors;
  return (
    <>
      <h1>Sign in</h1>
      {error !== undefined && <Notice tone="failed">{words[error] ?? "Sign-in failed. Try again."}</Notice>}
      {ways.providers.map(({ name, loginUrl, buttonLabel }) => (
        <a key={name} {...buttonLook()} href={`${loginUrl}?return_to=${encodeURIComponent(ownPath(to))}`}>
          {buttonLabel}
        </a>
      ))}
      {ways.internalUsers && ways.providers.length > 0 && <p className="b-soft">or with a password</p>}
      {ways.internalUsers && <PasswordForm to={to} />}
    </>
  );
}

function PasswordForm({ to }: { readonly to: string | undefined }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const enter = useEntered();
  const signIn = useRouteMutation(signInWithPassword, { onSuccess: () => enter(to) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate({ body: { email, password } });
  };
  return (
    <form className="b-form" onSubmit={submit}>
      <TextField
        label="Email address"
        type="email"
        autoComplete="username"
        required
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <ProblemNotice error={signIn.error} />
      <Button type="submit" kind="primary" isBusy={signIn.isPending}>
        Sign in
      </Button>
      <Link to="/reset-password">Forgot your password?</Link>
    </form>
  );
}
