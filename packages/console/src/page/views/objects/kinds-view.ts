import type { DiscoveredResource } from '@wherry/client';
import { html } from 'lit-html';
import { findKind, listedKinds } from '../../models/kinds.ts';
import { listNames, lists } from '../../models/lists.ts';
import { formatRoute } from '../../models/route.ts';
import { emptyNotice, troubleNotice } from '../notices.ts';
import type { View, ViewContext } from '../view.ts';

/** Every kind of objects that the server lists, custom resources too, each with the way to its objects. */
export class KindsView implements View {
  readonly title = 'All kinds';
  readonly #context: ViewContext;
  readonly #namespace: string;

  constructor(context: ViewContext, namespace: string) {
    this.#context = context;
    this.#namespace = namespace;
  }

  follow(): void {
    void this.#context.catalog.read();
  }

  rest(): void {}

  close(): void {}

  render() {
    const { resources, trouble } = this.#context.catalog;
    return html`
      <div class="bar"><h1>${this.title}</h1></div>
      ${troubleNotice(trouble)}
      ${resources ? this.#groups(resources) : emptyNotice(false, 'kinds')}
    `;
  }

  #groups(resources: readonly DiscoveredResource[]) {
    return listedKinds(resources).map(
      ({ title, kinds }) => html`
        <h2>${title}</h2>
        <ul class="kinds">
          ${kinds.map((kind) => html`<li><a href=${this.#hrefOf(kind)}>${kind.kind}</a> <small>${kind.version}</small></li>`)}
        </ul>
      `,
    );
  }

  #hrefOf(resource: DiscoveredResource): string {
    const namespace = resource.namespaced ? this.#namespace : '';
    const own = listNames.find((name) => findKind([resource], lists[name].type));
    return formatRoute(
      own ? { page: 'list', list: own, namespace } : { page: 'objects', resource, namespace },
    );
  }
}
