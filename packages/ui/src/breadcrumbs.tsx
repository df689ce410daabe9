import type { ReactNode } from "react";

/** Breadcrumb links from the top down, ending with the current page. */
export function Breadcrumbs({
  trail,
}: {
  readonly trail: readonly { readonly id: string; readonly content: ReactNode }[];
}) {
  return (
    <nav className="b-breadcrumbs" aria-label="Breadcrumb">
      <ol>
        {trail.map(({ id, content }, index) => (
          <li key={id} aria-current={index === trail.length - 1 ? "page" : undefined}>
            <span>{content}</span>
            {index < trail.length - 1 && <span aria-hidden="true">/</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
