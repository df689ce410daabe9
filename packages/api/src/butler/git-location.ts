import { formattedText } from "@butler/resource";
import type { z } from "zod";

const location = "[A-Za-z][A-Za-z0-9+.-]*://[^ ]+|[A-Za-z0-9][^ :/]*:[^ ]+";
const message = "must be a Git URL such as https://github.com/example/app.git or git@github.com:example/app.git";

/**
 * URL of a Git repository, or `host:path` as ssh accepts it. It must start with a letter or digit, so that Git
 * never reads the value as an option.
 */
export const gitUrl = (): z.ZodString => formattedText({ pattern: `^(${location})$`, message, maxLength: 2048 });

/** URL of a Git repository, or an empty string. */
export const gitUrlOrEmpty = (): z.ZodString =>
  formattedText({ pattern: `^(${location}|)$`, message, maxLength: 2048 });

/** A Git branch. Git allows no name that begins with `-`, which it would read as an option. */
export const gitBranch = (): z.ZodString =>
  formattedText({
    pattern: "^([^ -][^ ]*)?$",
    message: "must be a branch name such as main, without spaces and not starting with '-'",
    maxLength: 255,
  });
