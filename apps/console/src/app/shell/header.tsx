import { applyTheme, Button, Icon, Menu, StatusBadge, storedTheme, type Theme, useToast } from "@butler/ui";
import { signOut } from "@butler/contract";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useLiveConnection } from "../../data/live.tsx";
import { useRouteMutation } from "../../data/route-query.ts";
import { useMe } from "../../session/me.ts";
import { Notifications } from "./notifications.tsx";
import { Trail } from "./trail.tsx";

/** Callbacks of the header. */
export interface HeaderProps {
  readonly onPalette: () => void;
  readonly onRail: () => void;
  readonly onDrawer: () => void;
  readonly isDrawerOpen: boolean;
}

/** The top bar: breadcrumb, connection state and account menu. */
export function Header({ onPalette, onRail, onDrawer, isDrawerOpen }: HeaderProps) {
  return (
    <header className="c-header">
      <Button kind="quiet" shape="square" className="c-only-wide" aria-label="Toggle sidebar" onClick={onRail}>
        <Icon name="menu" />
      </Button>
      <Button
        kind="quiet"
        shape="square"
        className="c-only-narrow"
        aria-label="Menu"
        aria-expanded={isDrawerOpen}
        onClick={onDrawer}
      >
        <Icon name="menu" />
      </Button>
      <div className="c-trail">
        <Trail />
      </div>
      <Connection />
      <Button className="c-search c-only-wide" onClick={onPalette}>
        <Icon name="search" /> Go to <kbd className="b-key">Ctrl K</kbd>
      </Button>
      <Button kind="quiet" shape="square" className="c-only-narrow" aria-label="Command palette" onClick={onPalette}>
        <Icon name="search" />
      </Button>
      <Notifications />
      <Own />
    </header>
  );
}

const connectionWords = {
  connecting: ["working", "Connecting"],
  connected: ["ready", "Live"],
  waiting: ["attention", "Offline, reconnecting"],
  refused: ["failed", "Signed out"],
  closed: ["asleep", "Disconnected"],
} as const;

function Connection() {
  const [tone, words] = connectionWords[useLiveConnection()];
  return (
    <span className="c-connection" role="status" aria-label={`Connection: ${words}`}>
      <StatusBadge tone={tone}>
        <span className={tone === "ready" ? "c-only-wide" : undefined}>{words}</span>
      </StatusBadge>
    </span>
  );
}

const themes: readonly (readonly [Theme, string])[] = [
  ["light", "Light"],
  ["dark", "Dark"],
  ["system", "System"],
];

function Own() {
  const me = useMe();
  const toast = useToast();
  const navigate = useNavigate();
  const [theme, setTheme] = useState(storedTheme);
  const leave = useRouteMutation(signOut, {
    // Reloads, so that no data of this user stays in memory.
    onSuccess: () => location.assign("/sign-in"),
    onError: (error) => toast({ kind: "failed", title: "Could not sign out", detail: error.message }),
  });
  const choose = (wanted: Theme) => () => {
    applyTheme(wanted);
    setTheme(wanted);
  };
  return (
    <Menu
      trigger={
        <Button kind="quiet" shape="square" aria-label={`Account: ${me.name}`}>
          <Icon name="identity" />
        </Button>
      }
      groups={[
        {
          label: me.email,
          items: [{ id: "account", label: "Account", onSelect: () => void navigate({ to: "/account" }) }],
        },
        {
          label: "Theme",
          items: themes.map(([id, label]) => ({ id, label, isChosen: id === theme, onSelect: choose(id) })),
        },
        { items: [{ id: "sign-out", label: "Sign out", onSelect: () => leave.mutate({}) }] },
      ]}
    />
  );
}
