import { formattedText } from "@butler/resource";
import type { z } from "zod";

const location = "[A-Za-z][A-Za-z0-9+.-]*://[^ ]+|[A-Za-z0-9][^ :/]*:[^ ]+";
const message = "must be a Git URL such as https://github.com/example/app.git or git@github.com:example/app.git";

/**
 * Where a Git repository is: a URL, or `host:path` as ssh takes it. A letter or digit must come first, so that Git
 * never reads the value as an option.
 */
export const gitUrl = (): z.ZodString => formattedText({ pattern: `^(${location})$`, message, maxLength: 2048 });

/** Where a Git repository is, or the empty text for none. */
export const gitUrlOrEmpty = (): z.ZodString =>
  formattedText({ pattern: `^(${location}|)$`, message, maxLength: 2048 });

/** A Git branch. Git allows no name that begins with `-`, which it would read as an option. */
export const gitBranch = (): z.ZodString =>
  formattedText({
    pattern: "^([^ -][^ ]*)?$",
    message: "must be a branch name such as main, without blanks and not beginning with '-'",
    maxLength: 255,
  });
