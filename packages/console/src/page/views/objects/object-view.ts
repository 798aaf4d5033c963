import { type DiscoveredResource, type KubeObject, kinds } from '@wherry/client';
import type { Event as KubeEvent, Pod } from '@wherry/kubeapi/types';
import { html, nothing } from 'lit-html';
import type { Catalog } from '../../cluster/catalog.ts';
import { LiveList } from '../../cluster/live-list.ts';
import { LiveObject } from '../../cluster/live-object.ts';
import { LiveTable } from '../../cluster/live-table.ts';
import { conditionRows, nodeTroubles, usualTroubles } from '../../models/conditions.ts';
import { lists } from '../../models/lists.ts';
import { objectFacts, podsOf } from '../../models/object.ts';
import { tableOfServer } from '../../models/server-table.ts';
import { type Table, tableOf } from '../../models/table.ts';
import { conditionsView } from '../conditions-view.ts';
import { factsView } from '../facts-view.ts';
import { emptyNotice, troubleNotice } from '../notices.ts';
import { tableView } from '../table-view.ts';
import type { View, ViewContext } from '../view.ts';
import { yamlView } from '../yaml-view.ts';

/** Which object is shown. */
export interface ObjectPlace {
  type: DiscoveredResource;
  /** Empty for an object of the cluster. */
  namespace: string;
  name: string;
}

/** An object of any kind: what its list says of it, its pods, its events, its text. */
export class ObjectView implements View {
  readonly title: string;
  readonly #place: ObjectPlace;
  readonly #changed: () => void;
  readonly #catalog: Catalog;
  readonly #listed: LiveTable;
  readonly #object: LiveObject;
  readonly #events: LiveList<KubeEvent>;
  readonly #podsBy: (selection: object) => LiveList<Pod>;
  /** Those of what has some, once it is known which. */
  #pods: LiveList<Pod> | undefined;
  #isSeen = false;
  #podsPage = 1;
  #eventsPage = 1;

  constructor(context: ViewContext, place: ObjectPlace) {
    const { type, namespace, name } = place;
    this.title = name;
    this.#place = place;
    this.#changed = context.changed;
    this.#catalog = context.catalog;
    const changed = () => {
      this.#look();
      context.changed();
    };
    this.#listed = new LiveTable({ ...context, ...place, changed });
    this.#object = new LiveObject({ ...context, ...place, changed });
    const fieldSelector = `involvedObject.kind=${type.kind},involvedObject.name=${name}`;
    this.#events = new LiveList({ ...context, type: kinds.events, namespace, fieldSelector });
    this.#podsBy = (selection) =>
      new LiveList<Pod>({ ...context, type: kinds.pods, namespace, ...selection });
  }

  follow(): void {
    this.#isSeen = true;
    this.#listed.follow();
    this.#events.follow();
    this.#pods?.follow();
  }

  rest(): void {
    this.#isSeen = false;
    this.#listed.rest();
    this.#events.rest();
    this.#pods?.rest();
  }

  close(): void {
    this.rest();
  }

  render(nowMs: number) {
    const { type, name, namespace } = this.#place;
    const { table: answer, trouble } = this.#listed;
    const { object, yaml } = this.#object;
    const showing = { nowMs, showsNamespace: false, filter: '', hrefOf: () => '' };
    const table = answer && tableOfServer(answer, showing);
    const isGone = table?.total === 0;
    return html`
      <div class="bar"><h1>${type.kind} ${name}${namespace ? html` <small>in ${namespace}</small>` : nothing}</h1></div>
      ${troubleNotice(trouble ?? this.#object.trouble)}
      ${isGone ? html`<p class="notice" role="status">There is no such object (any more).</p>` : nothing}
      ${object ? this.#factsView(object, table, nowMs) : nothing} ${this.#podsView(nowMs)} ${this.#eventsView(nowMs)}
      ${yaml ? html`<h2>YAML</h2>${yamlView(yaml)}` : nothing}
    `;
  }

  #factsView(object: KubeObject, table: Table | undefined, nowMs: number) {
    const { resources = [] } = this.#catalog;
    if (object.metadata?.ownerReferences) this.#catalog.readOnce();
    const isBad = object.kind === 'Node' ? nodeTroubles : usualTroubles;
    return html`
      ${factsView(objectFacts(object, table, { nowMs, resources }))}
      ${conditionsView(conditionRows(object, { nowMs, isBad }))}
    `;
  }

  /** The object is read at each version that its list tells of; which pods it has, it says itself. */
  #look(): void {
    if (!this.#isSeen) return;
    const [row] = this.#listed.table?.rows ?? [];
    const { resourceVersion } = row?.object?.metadata ?? {};
    if (resourceVersion !== undefined) this.#object.look(resourceVersion);
    const { object } = this.#object;
    const selection = object && podsOf(object);
    if (!selection || this.#pods) return;
    this.#pods = this.#podsBy(selection);
    this.#pods.follow();
  }

  readonly #turnedPods = (pageNumber: number) => {
    this.#podsPage = pageNumber;
    this.#changed();
  };

  readonly #turnedEvents = (pageNumber: number) => {
    this.#eventsPage = pageNumber;
    this.#changed();
  };

  #podsView(nowMs: number) {
    if (!this.#pods) return nothing;
    const { objects, isComplete, trouble } = this.#pods;
    const showsNamespace = this.#place.namespace === '';
    const pageNumber = this.#podsPage;
    const table = tableOf(lists.pods, { objects, nowMs, showsNamespace, filter: '', pageNumber });
    return html`
      <h2>Pods</h2>
      ${troubleNotice(trouble)}
      ${table.total === 0 ? emptyNotice({ isComplete, trouble }, 'pods') : tableView(table, 'Its pods', this.#turnedPods)}
    `;
  }

  #eventsView(nowMs: number) {
    const { objects, trouble } = this.#events;
    const showing = { nowMs, showsNamespace: false, filter: '', pageNumber: this.#eventsPage };
    const table = tableOf(lists.events, { objects, ...showing });
    if (table.total === 0) return troubleNotice(trouble);
    return html`
      <h2>Events</h2>
      ${troubleNotice(trouble)}${tableView(table, 'Events of the object', this.#turnedEvents)}
    `;
  }
}
