// `npm run format`: formats every file.
import { runStep } from "./steps.ts";

const { code, output } = await runStep({
  name: "format",
  command: "prettier",
  args: ["--write", "--log-level=warn", "."],
});
process.stdout.write(output);
process.exitCode = code;
