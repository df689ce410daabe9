/** What tests of the command lines stand on: the real program as a process, against a real API server. */
export * from "./command-line.ts";
export * from "./desk.ts";
