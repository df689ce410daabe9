import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "@butler/cli-kit";
import { describeError, InvalidInput, sleep, Timeout } from "@butler/std";
import { z } from "zod";

const storedLogin = z.object({
  /** Address of butler-server, without a trailing slash. */
  server: z.string(),
  /** CA certificates of the server, if the system does not trust them. */
  certificateAuthority: z.string().optional(),
  email: z.string(),
  accessToken: z.string(),
  expiresAt: z.string(),
  refreshToken: z.string(),
  refreshExpiresAt: z.string(),
  kubernetes: z.object({ server: z.string(), certificateAuthority: z.string(), token: z.string() }),
});

/** A sign-in to a butler-server, as stored between commands. */
export type StoredLogin = z.infer<typeof storedLogin>;

const loginFile = z.object({ current: z.string().optional(), logins: z.array(storedLogin) });
type LoginFile = z.infer<typeof loginFile>;

type Surroundings = Pick<Terminal, "environment" | "clock" | "signal">;

/** A lock held for longer was left behind by a dead process. */
const staleLockMs = 30_000;
const lockPatienceMs = 20_000;

/** The sign-ins of the user, in a file that only the user can read. */
export class LoginStore {
  readonly #directory: string;
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#directory = directoryOf(surroundings.environment);
  }

  get file(): string {
    return join(this.#directory, "logins.json");
  }

  /** The sign-in to a server, or the most recent sign-in. */
  async find(server?: string): Promise<StoredLogin | undefined> {
    const { current, logins } = await this.#read();
    const wanted = server ?? current;
    return logins.find((login) => login.server === wanted);
  }

  /** Stores a sign-in, replacing an earlier one to the same server. */
  async save(login: StoredLogin): Promise<void> {
    const { logins } = await this.#read();
    const others = logins.filter(({ server }) => server !== login.server);
    await this.#write({ current: login.server, logins: [...others, login] });
  }

  /** Deletes a sign-in. */
  async forget(server: string): Promise<void> {
    const { current, logins } = await this.#read();
    const others = logins.filter((login) => login.server !== server);
    await this.#write({ ...(current === server ? {} : { current }), logins: others });
  }

  /** Runs work under a lock across processes. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const { clock, signal } = this.#surroundings;
    const lock = `${this.file}.lock`;
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const untilMs = clock.monotonicMs() + lockPatienceMs;
    while (!(await this.#acquire(lock))) {
      if (clock.monotonicMs() > untilMs) {
        throw new Timeout(`another butlerctl process holds the lock ${lock}`, {
          hint: "Delete the lock file if no other butlerctl process is running.",
        });
      }
      await sleep(clock, 50, signal);
    }
    try {
      return await work();
    } finally {
      await rm(lock, { force: true });
    }
  }

  async #acquire(lock: string): Promise<boolean> {
    try {
      await (await open(lock, "wx", 0o600)).close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw this.#explained(error, "write");
      const age = await stat(lock).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > staleLockMs) await rm(lock, { force: true });
      return false;
    }
  }

  async #read(): Promise<LoginFile> {
    try {
      return loginFile.parse(JSON.parse(await readFile(this.file, "utf8")));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return { logins: [] };
      throw this.#explained(error, "read");
    }
  }

  /** Writes a temporary file and renames it, so that no reader sees a partial file. */
  async #write(content: LoginFile): Promise<void> {
    const draft = `${this.file}.${process.pid}.new`;
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await writeFile(draft, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
      await chmod(draft, 0o600);
      await rename(draft, this.file);
    } catch (error) {
      await rm(draft, { force: true });
      throw this.#explained(error, "write");
    }
  }

  #explained(error: unknown, what: string): InvalidInput {
    const reason = error instanceof z.ZodError ? "unexpected content" : describeError(error);
    return new InvalidInput(`cannot ${what} ${this.file}: ${reason}`, {
      hint: "Move or delete the file and sign in again, or set BUTLER_CONFIG_DIR to another directory.",
    });
  }
}

function directoryOf(environment: Terminal["environment"]): string {
  const own = environment["BUTLER_CONFIG_DIR"];
  if (own !== undefined && own !== "") return own;
  const shared = environment["XDG_CONFIG_HOME"];
  return join(shared !== undefined && shared !== "" ? shared : join(homedir(), ".config"), "butler");
}
