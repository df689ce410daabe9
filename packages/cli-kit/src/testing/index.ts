/**
 * Test kit of the command lines: the real program as a process against a real API server, and a fake terminal for tests
 * that intercept a prompt and its answer.
 */
export * from "./command-line.ts";
export * from "./command-line-harness.ts";
export * from "./paper-terminal.ts";
