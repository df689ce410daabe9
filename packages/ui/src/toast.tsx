import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** Something that has happened, to be said once. */
export interface ToastMessage {
  readonly kind: "done" | "failed" | "news";
  readonly title: string;
  readonly detail?: string | undefined;
}

interface Shown extends ToastMessage {
  readonly id: number;
}

type Show = (message: ToastMessage) => void;

const ToastContext = createContext<Show>(() => undefined);

/** The most that are shown at once; older ones give way. */
const mostShown = 4;
const goneAfterMs = 6_000;

/** Shows messages in a corner, where screen readers hear of them too. Failures stay until they are closed. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const nextId = useRef(1);
  const close = useCallback((id: number) => setShown((before) => before.filter((toast) => toast.id !== id)), []);
  const show = useCallback<Show>(
    (message) => {
      const id = nextId.current++;
      setShown((before) => [...before, { ...message, id }].slice(-mostShown));
      if (message.kind !== "failed") setTimeout(() => close(id), goneAfterMs);
    },
    [close],
  );
  const toasts = useMemo(
    () =>
      shown.map(({ id, kind, title, detail }) => (
        <li key={id} className="b-toast" data-kind={kind}>
          <div>
            <strong>{title}</strong>
            {detail !== undefined && detail !== "" && <p className="b-soft">{detail}</p>}
          </div>
          <Button kind="quiet" shape="square" aria-label="Close" onClick={() => close(id)}>
            <Icon name="close" />
          </Button>
        </li>
      )),
    [shown, close],
  );
  return (
    <ToastContext value={show}>
      {children}
      <ul className="b-toasts" role="status" aria-live="polite" aria-label="Messages">
        {toasts}
      </ul>
    </ToastContext>
  );
}

/** Gives the function that says something in the corner. */
export function useToast(): Show {
  return useContext(ToastContext);
}
