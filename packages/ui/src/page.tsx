import type { ReactNode } from "react";

/** Props of a page. */
export interface PageProps {
  readonly title: ReactNode;
  readonly status?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether the content fills the window height, as for long lists. */
  readonly isFilling?: boolean;
  readonly children: ReactNode;
}

/** A page: title row with status and actions, then the content. */
export function Page({ title, status, actions, isFilling = false, children }: PageProps) {
  return (
    <div className="b-page" data-fill={isFilling}>
      <div className="b-page-head">
        <h1>{title}</h1>
        {status}
        {actions !== undefined && <div className="b-page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** A section of a page with a heading. */
export function Panel({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="b-panel" aria-label={title}>
      <div className="b-panel-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A list of names and values. Empty values are omitted. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="b-facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== "")
        .map(([name, value]) => (
          <FactRow key={name} name={name} value={value} />
        ))}
    </dl>
  );
}

function FactRow({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** A chip for a short label, such as an environment. */
export function Chip({ children }: { readonly children: ReactNode }) {
  return <span className="b-chip">{children}</span>;
}
