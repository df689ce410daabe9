import { Link } from "@tanstack/react-router";

/** What to do about a forgotten password: Butler sends no mail, so an administrator hands out a new link. */
export function ResetPage() {
  return (
    <>
      <h1>Forgotten your password?</h1>
      <p>
        Ask an administrator of the platform for a new invitation. Its link lets you set a new password, once, for three
        days.
      </p>
      <p className="b-soft">Setting it ends every session that your account still has.</p>
      <Link to="/sign-in">Back to signing in</Link>
    </>
  );
}
