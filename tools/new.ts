// `npm run new -- SHAPE NAME`: creates a new kind, controller, route, page or command with its test, adds it to the lists
// that it belongs to, and prints the next steps.
import { create, usage } from "./new/create.ts";
import { ScaffoldRefusal } from "./new/scaffold.ts";
import { repositoryRoot } from "./steps.ts";

const words = process.argv.slice(2);
if (words.length === 0) console.log(usage());
else {
  try {
    const { paths, nextSteps } = await create(repositoryRoot, words);
    for (const path of paths) console.log(path);
    console.log("\nNext steps:");
    nextSteps.forEach((step, at) => console.log(`${at + 1}. ${step}.`));
  } catch (error) {
    if (!(error instanceof ScaffoldRefusal)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
