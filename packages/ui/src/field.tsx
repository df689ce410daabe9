import { type ComponentProps, type ReactNode, useId } from "react";
import { joinClasses } from "./button.tsx";

/** Props shared by all fields. */
export interface FieldFrame {
  readonly label: ReactNode;
  /** Format or source of the value. */
  readonly hint?: ReactNode;
  /** Validation error, as a sentence. */
  readonly error?: string | undefined;
}

interface FrameProps extends FieldFrame {
  readonly id: string;
  readonly children: ReactNode;
}

function Frame({ id, label, hint, error, children }: FrameProps) {
  return (
    <div className="b-field">
      <label className="b-field-label" htmlFor={id}>
        {label}
      </label>
      {children}
      {error !== undefined && error !== "" && (
        <p className="b-field-error" id={`${id}-error`} role="alert">
          <span aria-hidden="true">▲</span>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p className="b-field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function describing(id: string, { hint, error }: Pick<FieldFrame, "hint" | "error">) {
  const hasError = error !== undefined && error !== "";
  const names = [...(hasError ? [`${id}-error`] : []), ...(hint === undefined ? [] : [`${id}-hint`])];
  return {
    id,
    "aria-invalid": hasError ? true : undefined,
    "aria-describedby": names.length === 0 ? undefined : names.join(" "),
  } as const;
}

/** A single-line text, number or password field. */
export function TextField({ label, hint, error, ...rest }: FieldFrame & ComponentProps<"input">) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input {...rest} className={joinClasses("b-input", rest.className)} {...describing(id, { hint, error })} />
    </Frame>
  );
}

/** A multi-line text field. */
export function TextAreaField({ label, hint, error, ...rest }: FieldFrame & ComponentProps<"textarea">) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea {...rest} className={joinClasses("b-input", rest.className)} {...describing(id, { hint, error })} />
    </Frame>
  );
}

/** Props of a select field. Uses the native select, which works best on phones. */
export interface SelectFieldProps extends FieldFrame, Omit<ComponentProps<"select">, "children"> {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A select field. */
export function SelectField({ label, hint, error, options, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select {...rest} className={joinClasses("b-input", rest.className)} {...describing(id, { hint, error })}>
        {options.map(({ value, label: name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/** A checkbox. */
export function CheckField({ label, hint, ...rest }: Omit<FieldFrame, "error"> & ComponentProps<"input">) {
  const id = useId();
  return (
    <div className="b-check">
      <input type="checkbox" {...rest} {...describing(id, { hint })} />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p className="b-field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
