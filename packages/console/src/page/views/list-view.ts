import type { KubeObject } from '@wherry/client';
import { html, nothing } from 'lit-html';
import { LiveList } from '../cluster/live-list.ts';
import { type ListDefinition, lists } from '../models/lists.ts';
import type { Route } from '../models/route.ts';
import { tableOf } from '../models/table.ts';
import { filterField } from './filter-field.ts';
import { emptyNotice, troubleNotice } from './notices.ts';
import { podByName } from './pod/pod-by-name.ts';
import { tableView } from './table-view.ts';
import { toneButtons } from './tone-buttons.ts';
import type { View, ViewContext } from './view.ts';

/** Where a list is. */
export type ListRoute = Extract<Route, { page: 'list' }>;

/** One kind of objects, of one namespace or of all. */
export class ListView implements View {
  readonly title: string;
  readonly #list: ListDefinition;
  readonly #objects: LiveList<KubeObject>;
  readonly #context: ViewContext;
  readonly #showsNamespace: boolean;
  #route: ListRoute;

  constructor(context: ViewContext, list: ListDefinition, route: ListRoute) {
    const { namespace } = route;
    this.#route = route;
    this.#context = context;
    this.#list = list;
    this.title = list.title;
    this.#showsNamespace = list.type.namespaced && namespace === '';
    const where = list.type.namespaced ? namespace : '';
    this.#objects = new LiveList({ ...context, type: list.type, namespace: where });
  }

  follow(): void {
    this.#objects.follow();
    if (this.#list.linkOf) this.#context.catalog.readOnce();
  }

  rest(): void {
    this.#objects.rest();
  }

  close(): void {
    this.rest();
  }

  render(nowMs: number) {
    const { title } = this.#list;
    const { objects, isComplete, trouble, refusal } = this.#objects;
    const { filter = '', pageNumber, namespace } = this.#route;
    const table = tableOf(this.#list, {
      ...{ objects, nowMs, filter, pageNumber, showsNamespace: this.#showsNamespace },
      resources: this.#context.catalog.resources,
    });
    return html`
      <div class="bar">
        <h1>${title}</h1>
        ${filterField(filter, this.#refilter)} ${toneButtons({ tones: table.tones, filter, changed: this.#refilter, words: this.#list.words })}
      </div>
      ${troubleNotice(trouble)}
      ${refusal !== undefined && this.#list === lists.pods ? podByName(namespace) : nothing}
      ${table.total === 0 ? emptyNotice({ isComplete, trouble }, title.toLowerCase()) : tableView(table, title, this.#turned)}
    `;
  }

  readonly #refilter = (filter: string) => this.#move({ filter, pageNumber: 1 });
  readonly #turned = (pageNumber: number) => this.#move({ pageNumber });

  #move(change: { filter?: string; pageNumber: number }): void {
    this.#route = { ...this.#route, ...change };
    this.#context.moved(this.#route);
  }
}
