import { Link } from "@tanstack/react-router";

/** Help for a forgotten password: Butler sends no email, so an administrator provides a new link. */
export function ResetPage() {
  return (
    <>
      <h1>Forgot your password?</h1>
      <p>
        Ask a platform administrator for a new invitation. Its link can be used once, within three days, to set a new
        password.
      </p>
      <p className="b-soft">Setting a new password ends all your sessions.</p>
      <Link to="/sign-in">Back to sign-in</Link>
    </>
  );
}
