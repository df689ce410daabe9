/** Facts of an object of a channel, besides its content. */
export interface ItemFacts {
  readonly key: string;
  /** Team whose members can see it; undefined if only users with a platform role can. */
  readonly team?: string | undefined;
  readonly namespace?: string | undefined;
  readonly cluster?: string | undefined;
}

/** An object of a channel. It is serialized once, on first use, for all clients. */
export class LiveItem implements ItemFacts {
  readonly key: string;
  readonly team: string | undefined;
  readonly namespace: string | undefined;
  readonly cluster: string | undefined;
  readonly #show: () => unknown;
  readonly #showBrief: (() => unknown) | undefined;
  #text: string | undefined;
  #briefText: string | undefined;

  constructor({ key, team, namespace, cluster }: ItemFacts, show: () => unknown, showBrief?: () => unknown) {
    this.key = key;
    this.team = team;
    this.namespace = namespace;
    this.cluster = cluster;
    this.#show = show;
    this.#showBrief = showBrief;
  }

  /** The same object, for the users of another team. */
  inTeam(team: string | undefined): LiveItem {
    const { key, namespace, cluster } = this;
    return new LiveItem({ key, team, namespace, cluster }, this.#show, this.#showBrief);
  }

  /** The object with its key, as JSON. */
  get text(): string {
    this.#text ??= JSON.stringify({ key: this.key, object: this.#show() });
    return this.#text;
  }

  /** The same with what lists show of the object; with all of it where nothing else is known. */
  get briefText(): string {
    if (this.#showBrief === undefined) return this.text;
    this.#briefText ??= JSON.stringify({ key: this.key, object: this.#showBrief() });
    return this.#briefText;
  }
}
