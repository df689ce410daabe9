import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { problemOf, RouteProblem } from "./problem.ts";

/** Responds to a request that cannot be parsed, and closes the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (!socket.writable) return void socket.destroy(error);
  const requestId = randomBytes(10).toString("hex");
  const problem = problemOf(problemAt(error.code), requestId);
  const text = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ""}`,
    "content-type: application/problem+json; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${requestId}`,
    "cache-control: no-store",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}

function problemAt(code: string | undefined): RouteProblem {
  if (code === "HPE_HEADER_OVERFLOW") {
    return new RouteProblem("HEADERS_TOO_LARGE", "the URL and headers exceed 16 KiB");
  }
  const isLate = code === "ERR_HTTP_REQUEST_TIMEOUT";
  return new RouteProblem("INVALID", isLate ? "timed out while reading the request" : "the request is malformed");
}
