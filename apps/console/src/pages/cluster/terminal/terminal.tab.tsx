import { openTerminal } from "@butler/contract";
import { Button, Chip, LoadingState, Notice, StatusBadge } from "@butler/ui";
import { getRouteApi } from "@tanstack/react-router";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useActions } from "../../../app/actions.tsx";
import { client } from "../../../data/client.ts";
import { ProblemView } from "../../../parts/problem-view.tsx";
import { lateScreen } from "./late-screen.ts";
import type { Screen } from "./screen.ts";
import { TerminalSession, type TerminalState, type LineEvents, type TerminalLine } from "./terminal-session.ts";
import "./terminal.css";

const route = getRouteApi("/signed-in/t/$team/clusters/$namespace/$name");

const rightsWords = {
  view: "read-only access to everything except Secrets",
  "cluster-admin": "full access to the cluster",
} as const;

/** A kubectl shell for the cluster, with the permissions of the user. */
export function TerminalTab() {
  const { namespace, name } = route.useParams();
  const host = useRef<HTMLDivElement>(null);
  const { state, isSilent, restart } = useTerminal(host, { namespace, name });
  const actions = useMemo(() => [{ id: "terminal-new", label: "New terminal", perform: restart }], [restart]);
  useActions(actions);
  if (state.kind === "refused") return <ProblemView error={state.error} onRetry={restart} />;
  return (
    <section className="c-terminal" aria-label={`Terminal for ${name}`}>
      <TerminalHead state={state} isSilent={isSilent} onRestart={restart} />
      {state.kind === "asking" && <LoadingState label="Creating the terminal pod" lines={2} />}
      <div ref={host} className="c-terminal-screen" data-state={state.kind} />
    </section>
  );
}

/** Props of the terminal header. */
export interface TerminalHeadProps {
  readonly state: TerminalState;
  /** Whether it has produced no output yet. */
  readonly isSilent?: boolean;
  readonly onRestart: () => void;
}

/** Permissions and state of the terminal. */
export function TerminalHead({ state, isSilent = false, onRestart }: TerminalHeadProps) {
  if (state.kind === "asking" || state.kind === "refused") return undefined;
  const { role, expiresAt } = state.ticket;
  const ended = state.kind === "ended" ? state.end : undefined;
  return (
    <>
      <div className="c-terminal-head">
        <Chip>{role}</Chip>
        <span className="b-soft">
          Runs with your permissions: {rightsWords[role]}.
          {ended === undefined && ` Closes no later than ${new Date(expiresAt).toLocaleTimeString()}.`}
        </span>
        {state.kind === "connecting" && <span role="status">Connecting…</span>}
        {state.kind === "open" && isSilent && (
          <span role="status">
            <StatusBadge tone="working">Starting pod</StatusBadge>
          </span>
        )}
      </div>
      {ended !== undefined && (
        <Notice tone={ended.isFailure ? "failed" : "asleep"}>
          <span>{ended.sentence}</span>
          <Button kind="primary" onClick={onRestart}>
            New terminal
          </Button>
        </Notice>
      )}
    </>
  );
}

interface TerminalOf {
  readonly namespace: string;
  readonly name: string;
}

/** A terminal in an element. Each restart opens a new one; until then the old output stays visible. */
function useTerminal(host: RefObject<HTMLDivElement | null>, { namespace, name }: TerminalOf) {
  const [state, setState] = useState<TerminalState>({ kind: "asking" });
  const [isSilent, setSilent] = useState(true);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const { current: element } = host;
    if (element === null) return;
    const held: { screen?: Screen } = {};
    const session = new TerminalSession({
      ask: (signal) => client.call(openTerminal, { params: { namespace, name } }, { signal }),
      connect: connectLine,
      onState: (next) => {
        setState(next);
        if (next.kind === "connecting") held.screen = lateScreen({ load, onFailure });
        if (next.kind === "open") held.screen?.focus();
      },
      onOutput: (bytes) => {
        setSilent(false);
        held.screen?.write(bytes);
      },
    });
    const load = async (): Promise<Screen> => {
      const { openScreen } = await import("./screen.ts");
      return openScreen({
        host: element,
        onType: (text) => session.type(text),
        onResize: (size) => session.resize(size),
      });
    };
    const onFailure = (error: unknown): void => {
      session.close();
      setState({ kind: "refused", error });
    };
    void session.start();
    return () => {
      session.close();
      held.screen?.dispose();
    };
  }, [host, namespace, name, round]);
  const restart = useCallback(() => {
    setState({ kind: "asking" });
    setSilent(true);
    setRound((before) => before + 1);
  }, []);
  return { state, isSilent, restart };
}

/** Connects to a terminal on this origin. */
function connectLine(path: string, { onOpen, onBytes, onClose }: LineEvents): TerminalLine {
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${path}`);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("open", onOpen);
  socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (data instanceof ArrayBuffer) onBytes(new Uint8Array(data));
  });
  socket.addEventListener("close", ({ code, reason }) => onClose(code, reason));
  return { send: (data) => socket.send(data), close: () => socket.close(1000, "left") };
}
