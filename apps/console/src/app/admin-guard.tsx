import { ForbiddenState } from "@butler/ui";
import { Link, Outlet } from "@tanstack/react-router";
import { useMe } from "../session/me.ts";

/** Admits users with a platform role and shows everyone else which role is required. */
export function AdminGuard() {
  const { platformRole } = useMe();
  if (platformRole !== undefined) return <Outlet />;
  return (
    <ForbiddenState
      sentence="Platform pages require the platform admin or viewer role."
      action={<Link to="/">Go to your team</Link>}
    />
  );
}
