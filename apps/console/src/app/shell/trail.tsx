import { Breadcrumbs } from "@butler/ui";
import { Link, useMatches } from "@tanstack/react-router";
import { type TrailPart, trailOf } from "./trail-of.ts";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The page's name in the trail, or the parameter that it is called by, as `$team`. */
    readonly crumb?: string;
    /** A page that stands above this one in the trail, though not in the tree of routes. */
    readonly above?: { readonly crumb: string; readonly to: string };
  }
}

/** Where the page stands, from the routes above it: each route says its own part. */
export function Trail() {
  const parts: TrailPart[] = useMatches({ select: trailOf });
  return (
    <Breadcrumbs
      trail={parts.map(({ path, text }, index) => ({
        id: path,
        content: index === parts.length - 1 ? text : <Link to={path}>{text}</Link>,
      }))}
    />
  );
}
