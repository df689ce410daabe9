import { Outlet, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { LiveProvider } from "../../data/live.tsx";
import { useMe } from "../../session/me.ts";
import { actingRole, rolesOf, roleWords } from "../../session/user-roles.ts";
import { ActionsProvider } from "../actions.tsx";
import { Header } from "./header.tsx";
import { Keys } from "./keys.tsx";
import { Palette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { SignedOutWatch } from "./signed-out-watch.tsx";

const railPlace = "butler.rail";

/** The shell around every page of a signed-in user: header, sidebar and palette. */
export function Shell() {
  const { team } = useParams({ strict: false });
  const { env } = useSearch({ strict: false });
  const roles = rolesOf(useMe(), team);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [rail, setRail] = useState(() => (localStorage.getItem(railPlace) === "narrow" ? "narrow" : "wide"));
  const toggleRail = (): void => {
    const next = rail === "wide" ? "narrow" : "wide";
    localStorage.setItem(railPlace, next);
    setRail(next);
  };
  return (
    <LiveProvider>
      <ActionsProvider>
        <a className="b-unseen" href="#content">
          Skip to content
        </a>
        <div
          className="c-shell"
          data-role={actingRole(roles)}
          data-rail={rail}
          data-drawer={isDrawerOpen ? "open" : "closed"}
        >
          <Header
            onPalette={() => setPaletteOpen(true)}
            onRail={toggleRail}
            onDrawer={() => setDrawerOpen(!isDrawerOpen)}
            isDrawerOpen={isDrawerOpen}
          />
          <Rail team={team} roles={roles} onGo={() => setDrawerOpen(false)} />
          <main className="c-main" id="content" tabIndex={-1}>
            <p className="c-where c-only-narrow">
              <span className="c-role">{roleWords[actingRole(roles)]}</span>
              {[team, env].filter((part) => part !== undefined).join(" · ")}
            </p>
            <Outlet />
          </main>
        </div>
        <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} team={team} />
        <Keys onPalette={() => setPaletteOpen(true)} team={team} />
        <SignedOutWatch />
      </ActionsProvider>
    </LiveProvider>
  );
}
