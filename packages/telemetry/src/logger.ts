import pino from "pino";
import { redact, redactText } from "./redact.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes structured lines: a constant message and fields. Message and fields pass through `redact` first. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds the given fields to every line. */
  with(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly level?: LogLevel | "silent";
  readonly name?: string;
  /** Receives each finished line; standard error when not given. */
  readonly write?: (line: string) => void;
}

/** A logger that writes one JSON object per line. */
export function createLogger({ level = "info", name, write }: LoggerOptions = {}): Logger {
  const destination = write === undefined ? pino.destination({ dest: 2, sync: false }) : { write };
  return wrap(
    pino(
      {
        level,
        base: name === undefined ? null : { name },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      destination,
    ),
  );
}

/** A logger that drops everything. */
export const silentLogger: Logger = createLogger({ level: "silent", write: () => undefined });

function wrap(target: pino.Logger): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (target.isLevelEnabled(level)) target[level](redact(fields) as LogFields, redactText(message));
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => wrap(target.child(redact(fields) as LogFields)),
  };
}
