import type { ComponentProps } from "react";

/** `danger-quiet` leads to something dangerous, and `danger` does it. */
type ButtonKind = "primary" | "normal" | "quiet" | "danger" | "danger-quiet";

/** Button props in addition to those of the HTML button. */
export interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: ButtonKind;
  /** Square buttons contain an icon and need an `aria-label`. */
  readonly shape?: "wide" | "square";
  /** While an action is in progress the button is disabled. */
  readonly isBusy?: boolean;
}

/** A button. Its type defaults to `button`, not `submit`. */
export function Button({ kind = "normal", shape = "wide", isBusy = false, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={joinClasses("b-button", rest.className)}
      data-kind={kind}
      data-shape={shape}
      disabled={rest.disabled === true || isBusy}
      aria-busy={isBusy || undefined}
    />
  );
}

/** Props that make a router link look like a button. */
export const buttonLook = (kind: ButtonKind = "normal") => ({ className: "b-button", "data-kind": kind }) as const;

/** Joins class names, omitting undefined ones. */
export function joinClasses(...names: readonly (string | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== "").join(" ");
}
