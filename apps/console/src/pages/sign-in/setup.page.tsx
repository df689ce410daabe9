import { listSignInProviders, setUpPlatform } from "@butler/contract";
import { Button, CodeBlock, Notice, TextField } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { fieldErrors } from "../../data/error-facts.ts";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { ProblemNotice } from "../../parts/problem-view.tsx";
import { canSend, NewPassword } from "../../parts/new-password.tsx";
import { tokenIn } from "./setup-token.ts";
import { useEntered } from "./use-entered.ts";

const command = "kubectl -n butler-system get secret butler-setup-token -o jsonpath='{.data.token}' | base64 -d";

/** The first page of a new installation: creates the first administrator. */
export function SetupPage() {
  const { hash } = useLocation();
  const [token, setToken] = useState(() => tokenIn(hash));
  useEffect(() => {
    // Removes the token from the URL and the history.
    if (hash !== "") history.replaceState(history.state, "", location.pathname);
  }, [hash]);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const ways = useQuery(routeQuery(listSignInProviders, {}));
  const isOver = ways.data?.setupNeeded === false;
  const enter = useEntered();
  const setUp = useRouteMutation(setUpPlatform, { onSuccess: () => enter("/") });
  const errors = fieldErrors(setUp.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setUp.mutate({ body: { token, email, password } });
  };
  return (
    <form className="b-form" onSubmit={submit}>
      <h1>Set up Butler</h1>
      {isOver ? (
        <Notice tone="attention">
          Butler is already set up: an administrator exists, and the setup token has been used.
        </Notice>
      ) : (
        <p className="b-soft">
          This installation has no administrator yet. Use its setup token to create the first account.
        </p>
      )}
      <TextField
        label="Setup token"
        required
        autoFocus={token === ""}
        value={token}
        error={errors["token"]}
        onChange={(event) => setToken(event.target.value.trim())}
      />
      <details>
        <summary>Where do I find the token?</summary>
        <CodeBlock text={command} language="plain" label="Command to get the token" />
      </details>
      <TextField
        label="Your email address"
        type="email"
        autoComplete="username"
        required
        value={email}
        error={errors["email"]}
        onChange={(event) => setEmail(event.target.value)}
      />
      <NewPassword
        email={email}
        password={password}
        again={again}
        error={errors["password"]}
        onPassword={setPassword}
        onAgain={setAgain}
      />
      <ProblemNotice error={setUp.error} />
      <Button
        type="submit"
        kind="primary"
        isBusy={setUp.isPending}
        disabled={isOver || !canSend({ email, password, again })}
      >
        Create administrator
      </Button>
      <Link to="/sign-in">Sign in instead</Link>
    </form>
  );
}
