import { kinds } from '@wherry/client';
import type { Event as KubeEvent, Pod } from '@wherry/kubeapi/types';
import { html, nothing } from 'lit-html';
import { LiveList } from '../../cluster/live-list.ts';
import { lists } from '../../models/lists.ts';
import { containerNames, podDetails } from '../../models/pod.ts';
import { formatRoute, podTabs, type Route } from '../../models/route.ts';
import { tableOf } from '../../models/table.ts';
import { emptyNotice, troubleNotice } from '../notices.ts';
import { tableView } from '../table-view.ts';
import type { View, ViewContext } from '../view.ts';
import { LogPanel } from './log-panel.ts';
import { detailsView } from './pod-details-view.ts';
import { TerminalPanel } from './terminal-panel.ts';

/** Where a pod's page is. */
export type PodRoute = Extract<Route, { page: 'pod' }>;

const tabTitles = { overview: 'Overview', logs: 'Logs', terminal: 'Terminal' } as const;

/** A pod: what it is and what happened to it, its logs, a terminal in it. One of the three at a time. */
export class PodView implements View {
  readonly #context: ViewContext;
  readonly #pods: LiveList<Pod>;
  readonly #events: LiveList<KubeEvent>;
  #route: PodRoute;
  #logs: LogPanel | undefined;
  #terminal: TerminalPanel | undefined;

  constructor(context: ViewContext, route: PodRoute) {
    const { namespace, name } = route;
    this.#context = context;
    this.#route = route;
    const fieldSelector = `metadata.name=${name}`;
    this.#pods = new LiveList<Pod>({ ...context, type: kinds.pods, namespace, fieldSelector });
    const about = `involvedObject.kind=Pod,involvedObject.name=${name}`;
    this.#events = new LiveList({ ...context, type: kinds.events, namespace, fieldSelector: about });
  }

  get title(): string {
    return `${this.#route.name} ${tabTitles[this.#route.tab].toLowerCase()}`;
  }

  /** Turns to another part of the same pod; false for another place. A terminal lives on meanwhile. */
  turnTo(route: Route): boolean {
    if (route.page !== 'pod') return false;
    const { namespace, name, tab } = this.#route;
    if (route.namespace !== namespace || route.name !== name) return false;
    if (tab === 'logs' && route.tab !== 'logs') {
      this.#logs?.close();
      this.#logs = undefined;
    }
    this.#route = route;
    return true;
  }

  follow(): void {
    this.#pods.follow();
    if (this.#route.tab === 'overview') this.#events.follow();
    else this.#events.rest();
  }

  /** Logs and terminals go on: what comes meanwhile would be lost. */
  rest(): void {
    this.#pods.rest();
    this.#events.rest();
  }

  close(): void {
    this.rest();
    this.#logs?.close();
    this.#terminal?.close();
  }

  shown(): void {
    this.#panel()?.shown();
  }

  render(nowMs: number) {
    const { namespace, name, tab } = this.#route;
    const pod = this.#pods.get(name, namespace);
    const panel = this.#panel();
    return html`
      <div class="bar">
        <h1>Pod ${name} <small>in ${namespace}</small></h1>
        <nav aria-label="Parts of the pod">
          ${podTabs.map(
            (one) => html`
              <a
                href=${formatRoute({ ...this.#route, tab: one })}
                aria-current=${one === tab ? 'page' : nothing}
                >${tabTitles[one]}</a
              >
            `,
          )}
        </nav>
      </div>
      ${troubleNotice(this.#pods.trouble)}
      ${
        pod || panel?.hasBegun
          ? nothing
          : html`<p class="notice" role="status">
            ${this.#pods.isComplete ? 'There is no such pod (any more).' : 'Reading the pod…'}
          </p>`
      }
      ${panel ? panel.render(pod && containerNames(pod)) : this.#overview(pod, nowMs)}
    `;
  }

  #panel(): LogPanel | TerminalPanel | undefined {
    const { namespace, name, tab, container } = this.#route;
    const target = { namespace, pod: name, container };
    if (tab === 'overview') return undefined;
    if (tab === 'logs') {
      this.#logs ??= new LogPanel(this.#context, target);
      return this.#logs;
    }
    this.#terminal ??= new TerminalPanel(this.#context, target);
    return this.#terminal;
  }

  #overview(pod: Pod | undefined, nowMs: number) {
    if (!pod) return nothing;
    const { objects, isComplete, trouble } = this.#events;
    const table = tableOf(lists.events, { objects, nowMs, showsNamespace: false, filter: '' });
    return html`
      ${detailsView(podDetails(pod, [...objects], nowMs))}
      <h2>Events</h2>
      ${troubleNotice(trouble)}
      ${table.total === 0 ? emptyNotice(isComplete, 'events') : tableView(table, 'Events of the pod')}
    `;
  }
}
