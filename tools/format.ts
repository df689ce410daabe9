// `npm run format`: puts every file into the agreed form.
import { runStep } from "./steps.ts";

const { code, output } = await runStep({
  name: "format",
  command: "prettier",
  args: ["--write", "--log-level=warn", "."],
});
process.stdout.write(output);
process.exitCode = code;
