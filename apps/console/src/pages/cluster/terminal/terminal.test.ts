// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { withoutStyleElements } from "./adopted-styles.ts";
import { lateScreen } from "./late-screen.ts";
import { terminalEnd } from "./terminal-end.ts";
import { type LineEvents, TerminalSession, type TerminalState, type TerminalTicket } from "./terminal-session.ts";

const ticket: TerminalTicket = {
  id: "1",
  url: "/api/terminal/1",
  ticket: "a+b",
  ticketExpiresAt: "2026-06-01T12:00:30Z",
  expiresAt: "2026-06-01T13:00:00Z",
  role: "view",
};

/** A session whose connection is controlled by the test. */
function sessionWith(ask: (signal: AbortSignal) => Promise<TerminalTicket> = () => Promise.resolve(ticket)) {
  const states: TerminalState[] = [];
  const output: string[] = [];
  const sent: (string | Uint8Array)[] = [];
  const line: { path?: string; events?: LineEvents; isClosed?: boolean } = {};
  const session = new TerminalSession({
    ask,
    connect: (path, events) => {
      Object.assign(line, { path, events });
      return { send: (data) => sent.push(data), close: () => (line.isClosed = true) };
    },
    onState: (state) => states.push(state),
    onOutput: (bytes) => output.push(new TextDecoder().decode(bytes)),
  });
  return { session, states, output, sent, line, kinds: () => states.map(({ kind }) => kind) };
}

describe("a terminal", () => {
  it("connects with its ticket and sends its size first", async () => {
    const { session, sent, line, output, kinds } = sessionWith();
    session.resize({ columns: 80, rows: 24 });
    session.type("lost");
    await session.start();
    expect(line.path).toBe("/api/terminal/1?ticket=a%2Bb");
    line.events?.onOpen();
    session.type("ls\r");
    line.events?.onBytes(new TextEncoder().encode("file"));
    session.resize({ columns: 80, rows: 24 });
    session.resize({ columns: 100, rows: 30 });
    expect(sent).toEqual([
      '{"type":"resize","columns":80,"rows":24}',
      new TextEncoder().encode("ls\r"),
      '{"type":"resize","columns":100,"rows":30}',
    ]);
    expect(output).toEqual(["file"]);
    expect(kinds()).toEqual(["asking", "connecting", "open"]);
  });

  it("reports why it ended, and accepts no more input", async () => {
    const { session, states, sent, line } = sessionWith();
    await session.start();
    line.events?.onOpen();
    line.events?.onClose(1000, "idle");
    session.type("x");
    expect(states.at(-1)).toEqual({
      kind: "ended",
      ticket,
      end: terminalEnd({ code: 1000, reason: "idle", wasOpen: true }),
    });
    expect(sent).toEqual([]);
  });

  it("splits long pastes into accepted chunks without losing bytes", async () => {
    const { session, sent, line } = sessionWith();
    await session.start();
    line.events?.onOpen();
    const text = "ä".repeat(50_000);
    session.type(text);
    expect(sent.length).toBeGreaterThan(1);
    const pieces = sent.filter((piece) => typeof piece !== "string");
    expect(pieces.every((piece) => piece.length <= 32 * 1024)).toBe(true);
    expect(new TextDecoder().decode(Buffer.concat(pieces))).toBe(text);
  });

  it("reports a refusal with its error", async () => {
    const error = new Error("no role");
    const { session, states } = sessionWith(() => Promise.reject(error));
    await session.start();
    expect(states.at(-1)).toEqual({ kind: "refused", error });
  });

  it("does not connect when closed during the request", async () => {
    const { session, line, kinds } = sessionWith();
    const started = session.start();
    session.close();
    await started;
    expect(line.path).toBeUndefined();
    expect(kinds()).toEqual(["asking"]);
  });

  it("closes its connection and reports nothing more when closed", async () => {
    const { session, line, kinds } = sessionWith();
    await session.start();
    line.events?.onOpen();
    session.close();
    line.events?.onClose(1000, "left");
    expect(line.isClosed).toBe(true);
    expect(kinds()).toEqual(["asking", "connecting", "open"]);
  });
});

describe("terminalEnd", () => {
  it.each([
    [{ code: 1000, reason: "exited", wasOpen: true }, false, /shell exited/],
    [{ code: 1000, reason: "idle", wasOpen: true }, false, /15 minutes without input/],
    [{ code: 1000, reason: "over", wasOpen: true }, false, /time limit of one hour/],
    [{ code: 1008, reason: "access revoked", wasOpen: true }, true, /role/],
    [{ code: 1011, reason: "the terminal cannot be reached", wasOpen: true }, true, /did not start/],
    [{ code: 1006, reason: "", wasOpen: false }, true, /refused to open/],
    [{ code: 1006, reason: "", wasOpen: true }, true, /Connection lost \(1006\)/],
    [{ code: 1012, reason: "", wasOpen: true }, true, /restarting/],
    [{ code: 1000, reason: "toString", wasOpen: true }, true, /Connection lost/],
  ])("%j", (end, isFailure, sentence) => {
    const shown = terminalEnd(end);
    expect(shown.isFailure).toBe(isFailure);
    expect(shown.sentence).toMatch(sentence);
  });
});

describe("withoutStyleElements", () => {
  it("turns style elements into adopted sheets, follows changes, and removes them", () => {
    const made: HTMLElement[] = [];
    const adopted = withoutStyleElements(document, () => {
      made.push(document.createElement("style"), document.createElement("div"));
    });
    const [style, other] = made;
    expect([style?.tagName, other?.tagName]).toEqual(["SPAN", "DIV"]);
    expect(Object.hasOwn(document, "createElement")).toBe(false);
    if (style) style.textContent = ".x { color: red; }";
    expect(document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))).toEqual([
      expect.stringContaining("color: red"),
    ]);
    adopted.release();
    expect(document.adoptedStyleSheets).toEqual([]);
  });

  it("restores createElement after a failure", () => {
    expect(() =>
      withoutStyleElements(document, () => {
        throw new Error("no canvas");
      }),
    ).toThrow("no canvas");
    expect(document.createElement("style").tagName).toBe("STYLE");
  });
});

describe("lateScreen", () => {
  const aScreen = () => {
    const done: string[] = [];
    const note = (what: string) => () => void done.push(what);
    const write = (bytes: Uint8Array | string): void => void done.push(String(bytes));
    return { done, screen: { write, clear: note("clear"), focus: note("focus"), dispose: note("dispose") } };
  };

  it("replays buffered output, then passes output through", async () => {
    const { done, screen } = aScreen();
    const late = lateScreen({ load: () => Promise.resolve(screen), onFailure: () => undefined });
    late.write("$ ");
    late.focus();
    expect(done).toEqual([]);
    await Promise.resolve();
    late.write("ls");
    late.dispose();
    expect(done).toEqual(["$ ", "focus", "ls", "dispose"]);
  });

  it("disposes of a screen that loads after it was closed", async () => {
    const { done, screen } = aScreen();
    const failures: unknown[] = [];
    const onFailure = (error: unknown): void => void failures.push(error);
    lateScreen({ load: () => Promise.resolve(screen), onFailure }).dispose();
    lateScreen({ load: () => Promise.reject(new Error("offline")), onFailure }).dispose();
    lateScreen({ load: () => Promise.reject(new Error("no code")), onFailure });
    await new Promise((resolve) => setTimeout(resolve));
    expect(done).toEqual(["dispose"]);
    expect(failures).toEqual([new Error("no code")]);
  });
});
