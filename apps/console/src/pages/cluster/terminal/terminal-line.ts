import type { LineEvents, TerminalLine } from "./terminal-session.ts";

/** Connects to a terminal on this origin. */
export function connectLine(path: string, { onOpen, onBytes, onClose }: LineEvents): TerminalLine {
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${path}`);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("open", onOpen);
  socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (data instanceof ArrayBuffer) onBytes(new Uint8Array(data));
  });
  socket.addEventListener("close", ({ code, reason }) => onClose(code, reason));
  return { send: (data) => socket.send(data), close: () => socket.close(1000, "left") };
}
