import type { ReactNode } from "react";

/** Where a page stands: links from the top down, and the page itself at the end. */
export function Breadcrumbs({
  trail,
}: {
  readonly trail: readonly { readonly id: string; readonly content: ReactNode }[];
}) {
  return (
    <nav className="b-breadcrumbs" aria-label="Where you are">
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
