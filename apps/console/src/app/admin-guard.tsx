import { ForbiddenState } from "@butler/ui";
import { Link, Outlet } from "@tanstack/react-router";
import { useMe } from "../session/me.ts";

/** Lets people with a role on the platform in, and tells everybody else who may. */
export function AdminGuard() {
  const { platformRole } = useMe();
  if (platformRole !== undefined) return <Outlet />;
  return (
    <ForbiddenState
      sentence="These pages are about the whole platform. They are for its administrators and viewers."
      action={<Link to="/">Go to your team</Link>}
    />
  );
}
