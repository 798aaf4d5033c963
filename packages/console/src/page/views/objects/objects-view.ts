import type { DiscoveredResource, KubeObject } from '@wherry/client';
import { html } from 'lit-html';
import { LiveTable } from '../../cluster/live-table.ts';
import { objectHref } from '../../models/links.ts';
import type { Route } from '../../models/route.ts';
import { tableOfServer } from '../../models/server-table.ts';
import { filterField } from '../filter-field.ts';
import { emptyNotice, troubleNotice } from '../notices.ts';
import { tableView } from '../table-view.ts';
import type { View, ViewContext } from '../view.ts';

/** Where they are. */
export type ObjectsRoute = Extract<Route, { page: 'objects' }>;

/** The objects of any kind, by the columns that its server gives them. */
export class ObjectsView implements View {
  readonly title: string;
  readonly #context: ViewContext;
  readonly #type: DiscoveredResource;
  readonly #objects: LiveTable;
  readonly #showsNamespace: boolean;
  readonly #route: ObjectsRoute;
  #filter: string;

  constructor(context: ViewContext, type: DiscoveredResource, route: ObjectsRoute) {
    const { namespace, filter = '' } = route;
    this.#route = route;
    this.#filter = filter;
    this.#context = context;
    this.#type = type;
    this.title = type.kind;
    this.#showsNamespace = type.namespaced && namespace === '';
    this.#objects = new LiveTable({ ...context, type, namespace: type.namespaced ? namespace : '' });
  }

  follow(): void {
    this.#objects.follow();
  }

  rest(): void {
    this.#objects.rest();
  }

  close(): void {
    this.rest();
  }

  render(nowMs: number) {
    const { kind, group, version, plural } = this.#type;
    const { table, trouble } = this.#objects;
    const hrefOf = (object: KubeObject) => objectHref(this.#type, object);
    const showing = { nowMs, showsNamespace: this.#showsNamespace, filter: this.#filter, hrefOf };
    const shown = table && tableOfServer(table, showing);
    return html`
      <div class="bar">
        <h1>${kind} <small>${group || 'core'}/${version}</small></h1>
        ${filterField(this.#filter, this.#refilter)}
      </div>
      ${troubleNotice(trouble)}
      ${shown && shown.total > 0 ? tableView(shown, kind) : emptyNotice({ isComplete: shown !== undefined, trouble }, plural)}
    `;
  }

  readonly #refilter = (filter: string) => {
    this.#filter = filter;
    this.#context.moved({ ...this.#route, filter });
  };
}
