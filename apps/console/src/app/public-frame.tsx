import { Outlet } from "@tanstack/react-router";

/** Layout of pages for signed-out users. */
export function PublicFrame() {
  return (
    <main className="c-public">
      <p className="c-brand">
        <img src="/icon.svg" alt="" width="24" height="24" /> Butler
      </p>
      <div className="b-panel c-public-card">
        <Outlet />
      </div>
    </main>
  );
}
