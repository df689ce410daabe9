import { useState } from "react";

/**
 * State of a form with text fields. Faults are shown only after the first attempt to submit: a form that is still being
 * filled in should not complain.
 */
export function useForm<Form extends Readonly<Record<keyof Form, string>>>(
  initial: Form | (() => Form),
  faultsOf: (form: Form) => Readonly<Partial<Record<keyof Form, string>>>,
) {
  const [form, setForm] = useState(initial);
  const [wasTried, setTried] = useState(false);
  const faults = faultsOf(form);
  return {
    form,
    faults,
    /** Properties of the text field for a part of the form. */
    field: (name: keyof Form) => ({
      value: form[name],
      error: wasTried ? faults[name] : undefined,
      onChange: (event: { readonly target: { readonly value: string } }) =>
        setForm({ ...form, [name]: event.target.value }),
    }),
    /** Calls back only if the form is valid. */
    submit: (send: () => void): void => {
      setTried(true);
      if (Object.keys(faults).length === 0) send();
    },
  };
}
