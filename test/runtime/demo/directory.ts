/** An entry of the directory: a reserved name, and the text published under it once there is one. */
export interface DirectoryEntry {
  readonly owner: string;
  readonly text: string | undefined;
}

/** The system outside the cluster that the demonstration controller works with. It outlives the controller. */
export class Directory {
  readonly entries = new Map<string, DirectoryEntry>();

  async find(name: string): Promise<DirectoryEntry | undefined> {
    return Promise.resolve(this.entries.get(name));
  }

  /** Reserves a name. Idempotent for the same owner. */
  async reserve(name: string, owner: string): Promise<void> {
    const present = this.entries.get(name);
    if (present !== undefined && present.owner !== owner) throw new Error(`${name} belongs to ${present.owner}`);
    if (present === undefined) this.entries.set(name, { owner, text: undefined });
    return Promise.resolve();
  }

  async publish(name: string, text: string): Promise<void> {
    const present = this.entries.get(name);
    if (present === undefined) throw new Error(`${name} is not reserved`);
    this.entries.set(name, { ...present, text });
    return Promise.resolve();
  }

  /** Releases a name. Releasing a free one changes nothing. */
  async withdraw(name: string): Promise<void> {
    this.entries.delete(name);
    return Promise.resolve();
  }
}
