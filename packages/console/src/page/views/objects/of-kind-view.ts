import type { DiscoveredResource } from '@wherry/client';
import { html } from 'lit-html';
import { findKind, type ResourceKey } from '../../models/kinds.ts';
import { troubleNotice } from '../notices.ts';
import type { View, ViewContext } from '../view.ts';

/** A view that has to know first what the server says of a kind, such as whether its objects are in namespaces. */
export class OfKindView implements View {
  readonly #context: ViewContext;
  readonly #resource: ResourceKey;
  readonly #make: (type: DiscoveredResource) => View;
  #view: View | undefined;
  #isSeen = false;

  constructor(context: ViewContext, resource: ResourceKey, make: (type: DiscoveredResource) => View) {
    this.#context = context;
    this.#resource = resource;
    this.#make = make;
  }

  get title(): string {
    return this.#view?.title ?? this.#resource.plural;
  }

  follow(): void {
    this.#isSeen = true;
    if (this.#view) this.#view.follow();
    else void this.#begin();
  }

  rest(): void {
    this.#isSeen = false;
    this.#view?.rest();
  }

  close(): void {
    this.rest();
  }

  render(nowMs: number) {
    if (this.#view) return this.#view.render(nowMs);
    const { plural } = this.#resource;
    const { resources, trouble } = this.#context.catalog;
    const notice = resources ? `The server has no ${plural}.` : `Reading ${plural}…`;
    return html`
      <h1>${plural}</h1>
      ${troubleNotice(trouble)}
      <p class="notice" role="status">${notice}</p>
    `;
  }

  async #begin(): Promise<void> {
    const { catalog, changed } = this.#context;
    if (!findKind(catalog.resources ?? [], this.#resource)) await catalog.read();
    const type = findKind(catalog.resources ?? [], this.#resource);
    if (!type || this.#view) return;
    this.#view = this.#make(type);
    if (this.#isSeen) this.#view.follow();
    changed();
  }
}
