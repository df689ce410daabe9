import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** A toast message. */
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

/** Maximum number of toasts; older ones are dropped. */
const mostShown = 4;
const goneAfterMs = 6_000;

/** Shows toasts in a live region. Failures stay until they are closed. */
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

/** Returns the function that shows a toast. */
export function useToast(): Show {
  return useContext(ToastContext);
}
