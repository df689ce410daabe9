import { passwordFault } from "@butler/access";
import { TextField } from "@butler/ui";

/** Props of the new-password fields. */
export interface NewPasswordProps {
  readonly email: string;
  readonly password: string;
  readonly again: string;
  readonly error?: string | undefined;
  readonly onPassword: (text: string) => void;
  readonly onAgain: (text: string) => void;
}

/** A new password and its confirmation, validated with the same code as on the server. */
export function NewPassword({ email, password, again, error, onPassword, onAgain }: NewPasswordProps) {
  const fault = password === "" ? undefined : passwordFault(password, email);
  return (
    <>
      <TextField
        label="New password"
        hint="At least 12 characters. Avoid common passwords."
        type="password"
        autoComplete="new-password"
        required
        value={password}
        error={fault === undefined ? error : sentence(fault)}
        onChange={(event) => onPassword(event.target.value)}
      />
      <TextField
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        required
        value={again}
        error={again !== "" && !password.startsWith(again) ? "Passwords do not match." : undefined}
        onChange={(event) => onAgain(event.target.value)}
      />
    </>
  );
}

/** Whether a new password can be submitted. */
export function canSend({ email, password, again }: Pick<NewPasswordProps, "email" | "password" | "again">): boolean {
  return password === again && passwordFault(password, email) === undefined;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
