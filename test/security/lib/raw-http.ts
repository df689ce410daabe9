import { connect } from "node:net";

/**
 * Sends raw bytes, which no HTTP client would, and returns everything received until the server closes the connection.
 */
export function sendRaw(
  url: string,
  text: string,
  waitMs = 3_000,
): Promise<{ readonly answer: string; readonly isEnded: boolean }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = "";
    const done = (isEnded: boolean): void => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ answer, isEnded });
    };
    const patience = setTimeout(() => done(false), waitMs);
    socket.on("data", (data) => (answer += data.toString("latin1")));
    socket.on("end", () => done(true));
    socket.on("error", () => done(true));
  });
}

/** The upgrade request of a WebSocket, with any target and headers. */
export function upgradeText(target: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = {
    Host: "127.0.0.1",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
