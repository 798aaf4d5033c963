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
  #route: ObjectsRoute;

  constructor(context: ViewContext, type: DiscoveredResource, route: ObjectsRoute) {
    const { namespace } = route;
    this.#route = route;
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
    const { filter = '', pageNumber } = this.#route;
    const showing = { nowMs, showsNamespace: this.#showsNamespace, filter, pageNumber, hrefOf };
    const shown = table && tableOfServer(table, showing);
    return html`
      <div class="bar">
        <h1>${kind} <small>${group || 'core'}/${version}</small></h1>
        ${filterField(filter, this.#refilter)}
      </div>
      ${troubleNotice(trouble)}
      ${shown && shown.total > 0 ? tableView(shown, kind, this.#turned) : emptyNotice({ isComplete: shown !== undefined, trouble }, plural)}
    `;
  }

  readonly #refilter = (filter: string) => this.#move({ filter, pageNumber: 1 });
  readonly #turned = (pageNumber: number) => this.#move({ pageNumber });

  #move(change: { filter?: string; pageNumber: number }): void {
    this.#route = { ...this.#route, ...change };
    this.#context.moved(this.#route);
  }
}
