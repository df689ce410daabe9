import { once } from "node:events";
import type { Socket } from "node:net";

/** Reads at least the given number of bytes. Fails if the connection ends before. */
export async function receive(socket: Socket, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const over = new AbortController();
  const onEnd = (): void => over.abort(new Error(`the connection ended after ${Buffer.concat(chunks).length} bytes`));
  socket.once("end", onEnd).once("close", onEnd);
  try {
    for (let received = 0; received < length;) {
      const [chunk] = (await once(socket, "data", { signal: over.signal })) as [Buffer];
      chunks.push(chunk);
      received += chunk.length;
    }
    return Buffer.concat(chunks);
  } finally {
    socket.off("end", onEnd).off("close", onEnd);
  }
}

/** Reads until the other side ends. */
export async function receiveAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Resolves when the connection is closed, for any reason. */
export function ended(socket: Socket): Promise<unknown> {
  socket.resume();
  return new Promise((resolve) => {
    if (socket.closed) resolve(undefined);
    socket.once("close", resolve);
    if (socket.readableEnded) socket.destroy();
    else socket.once("end", () => socket.destroy());
  });
}

/** Sends a text and waits for its echo. */
export async function isEchoed(socket: Socket, text = "hello"): Promise<boolean> {
  socket.write(text);
  return (await receive(socket, text.length)).toString() === text;
}

/** For tests that assert that nothing happens for a while. */
export const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
