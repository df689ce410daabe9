import type { ComponentProps } from "react";

/** `danger-quiet` leads to something dangerous, and `danger` does it. */
type ButtonKind = "primary" | "normal" | "quiet" | "danger" | "danger-quiet";

/** What a button is given besides what every button of HTML takes. */
export interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: ButtonKind;
  /** Square buttons hold an icon and need an `aria-label`. */
  readonly shape?: "wide" | "square";
  /** While something is under way the button stays where it is and cannot be pressed again. */
  readonly isBusy?: boolean;
}

/** A button. It is no form's submit button unless it says so. */
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

/** The class of a link that looks like a button, for routers whose links are components of their own. */
export const buttonLook = (kind: ButtonKind = "normal") => ({ className: "b-button", "data-kind": kind }) as const;

/** Puts names of classes together, leaving out those that are not there. */
export function joinClasses(...names: readonly (string | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== "").join(" ");
}
