import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const repositoryRoot = fileURLToPath(new URL("..", import.meta.url));

/** A program to run as part of a task. */
export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

export interface StepResult {
  readonly step: Step;
  readonly code: number;
  readonly seconds: number;
  readonly output: string;
}

/** Runs a step and captures its output. */
export function runStep(step: Step): Promise<StepResult> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, { cwd: repositoryRoot, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const finish = (code: number): void =>
      resolve({ step, code, seconds: (performance.now() - startedAt) / 1_000, output });
    child.on("error", (error) => {
      output += error.message;
      finish(1);
    });
    child.on("close", (code) => finish(code ?? 1));
  });
}
