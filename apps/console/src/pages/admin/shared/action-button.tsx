import type { Route } from "@butler/contract";
import { Button, type ButtonProps, Tooltip } from "@butler/ui";
import { useMe } from "../../../session/me.ts";
import { refusalOf, rolesOf } from "../../../session/user-roles.ts";

/** A button and the route that it calls. */
export interface ActionButtonProps extends ButtonProps {
  readonly route: Pick<Route, "permission">;
}

/** A button that requires a role. Without the role it is disabled and a tooltip explains why. */
export function ActionButton({ route, ...rest }: ActionButtonProps) {
  const refusal = refusalOf(route, rolesOf(useMe()));
  if (refusal === undefined) return <Button {...rest} />;
  return (
    <Tooltip text={refusal}>
      <Button {...rest} type="button" onClick={undefined} aria-disabled="true" aria-description={refusal} />
    </Tooltip>
  );
}

/** Whether the signed-in user may call a route; false without a route. */
export function useMay(route: Pick<Route, "permission"> | undefined): boolean {
  const roles = rolesOf(useMe());
  return route !== undefined && refusalOf(route, roles) === undefined;
}
