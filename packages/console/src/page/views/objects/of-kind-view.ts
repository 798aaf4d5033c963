import type { DiscoveredResource } from '@wherry/client';
import { html } from 'lit-html';
import { RestingPoll } from '../../cluster/resting-poll.ts';
import { limits } from '../../limits.ts';
import { findKind, type ResourceKey } from '../../models/kinds.ts';
import { emptyNotice, troubleNotice } from '../notices.ts';
import type { View, ViewContext } from '../view.ts';

/** A view that has to know first what the server says of a kind, such as whether its objects are in namespaces. */
export class OfKindView implements View {
  readonly #context: ViewContext;
  readonly #resource: ResourceKey;
  readonly #make: (type: DiscoveredResource) => View;
  /** A server that is away, or has no such kind yet, is asked again. */
  readonly #poll: RestingPoll;
  #view: View | undefined;
  #isSeen = false;

  constructor(context: ViewContext, resource: ResourceKey, make: (type: DiscoveredResource) => View) {
    this.#context = context;
    this.#resource = resource;
    this.#make = make;
    const { clock } = context.client;
    this.#poll = new RestingPoll({ clock, periodMs: limits.retryMs, look: () => this.#look() });
  }

  get title(): string {
    return this.#view?.title ?? this.#resource.plural;
  }

  follow(): void {
    this.#isSeen = true;
    if (this.#view) this.#view.follow();
    else this.#poll.follow();
  }

  rest(): void {
    this.#isSeen = false;
    this.#poll.rest();
    this.#view?.rest();
  }

  close(): void {
    this.rest();
    this.#view?.close();
  }

  render(nowMs: number) {
    if (this.#view) return this.#view.render(nowMs);
    const { plural } = this.#resource;
    const { resources, trouble } = this.#context.catalog;
    return html`
      <h1>${plural}</h1>
      ${troubleNotice(trouble)}
      ${resources ? html`<p class="notice" role="status">The server has no ${plural}.</p>` : emptyNotice({ isComplete: false, trouble }, plural)}
    `;
  }

  /** Resolves with false once there is nothing more to ask for. */
  async #look(): Promise<boolean> {
    const { catalog, changed } = this.#context;
    if (!findKind(catalog.resources ?? [], this.#resource)) await catalog.read();
    const type = findKind(catalog.resources ?? [], this.#resource);
    if (!type || this.#view) return !type;
    this.#view = this.#make(type);
    if (this.#isSeen) this.#view.follow();
    changed();
    return false;
  }
}
