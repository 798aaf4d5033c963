import type { DiscoveredResource } from '@wherry/client';
import { html } from 'lit-html';
import { RestingPoll } from '../../cluster/resting-poll.ts';
import { limits } from '../../limits.ts';
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
  /** Read once for each look; what could not be read is read again. */
  readonly #poll: RestingPoll;

  constructor(context: ViewContext, namespace: string) {
    this.#context = context;
    this.#namespace = namespace;
    const { catalog, client } = context;
    this.#poll = new RestingPoll({
      ...{ clock: client.clock, periodMs: limits.retryMs },
      async look() {
        await catalog.read();
        return catalog.trouble !== undefined;
      },
    });
  }

  follow(): void {
    this.#poll.follow();
  }

  rest(): void {
    this.#poll.rest();
  }

  close(): void {
    this.rest();
  }

  render() {
    const { resources, trouble } = this.#context.catalog;
    return html`
      <div class="bar"><h1>${this.title}</h1></div>
      ${troubleNotice(trouble)}
      ${resources ? this.#groups(resources) : emptyNotice({ isComplete: false, trouble }, 'kinds')}
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
