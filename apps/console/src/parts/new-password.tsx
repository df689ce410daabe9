import { passwordFault } from "@butler/access";
import { TextField } from "@butler/ui";

/** The two fields of a new password. */
export interface NewPasswordProps {
  readonly email: string;
  readonly password: string;
  readonly again: string;
  readonly error?: string | undefined;
  readonly onPassword: (text: string) => void;
  readonly onAgain: (text: string) => void;
}

/** A new password, written twice. What is wrong with it is found by the code with which the server finds it. */
export function NewPassword({ email, password, again, error, onPassword, onAgain }: NewPasswordProps) {
  const fault = password === "" ? undefined : passwordFault(password, email);
  return (
    <>
      <TextField
        label="New password"
        hint="At least 12 characters, and nothing that anybody would try first."
        type="password"
        autoComplete="new-password"
        required
        value={password}
        error={fault === undefined ? error : sentence(fault)}
        onChange={(event) => onPassword(event.target.value)}
      />
      <TextField
        label="The same again"
        type="password"
        autoComplete="new-password"
        required
        value={again}
        error={again !== "" && !password.startsWith(again) ? "The two are not the same." : undefined}
        onChange={(event) => onAgain(event.target.value)}
      />
    </>
  );
}

/** Whether a new password can be sent. */
export function canSend({ email, password, again }: Pick<NewPasswordProps, "email" | "password" | "again">): boolean {
  return password === again && passwordFault(password, email) === undefined;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
