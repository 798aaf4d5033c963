import { kinds } from '@wherry/client';
import type { Event as KubeEvent, Pod } from '@wherry/kubeapi/types';
import { html, nothing } from 'lit-html';
import { LastWords } from '../../cluster/last-words.ts';
import { LiveList } from '../../cluster/live-list.ts';
import { LiveObject } from '../../cluster/live-object.ts';
import { LivePod } from '../../cluster/live-pod.ts';
import { UsagePoll } from '../../cluster/usage-poll.ts';
import { lists } from '../../models/lists.ts';
import { containersGiven } from '../../models/pod/container-given.ts';
import { containerNames, podDetails } from '../../models/pod/pod.ts';
import { usageTexts } from '../../models/pod/usage.ts';
import { formatRoute, podTabs, type Route } from '../../models/route.ts';
import { tableOf } from '../../models/table.ts';
import { emptyNotice, troubleNotice } from '../notices.ts';
import { tableView } from '../table-view.ts';
import type { View, ViewContext } from '../view.ts';
import { yamlView } from '../yaml-view.ts';
import { LogPanel } from './log-panel.ts';
import { detailsView } from './pod-details-view.ts';
import { TerminalPanel } from './terminal-panel.ts';

/** Where a pod's page is. */
export type PodRoute = Extract<Route, { page: 'pod' }>;

const tabTitles = { overview: 'Overview', logs: 'Logs', terminal: 'Terminal', yaml: 'YAML' } as const;

/** A pod: what it is and what happened to it, its logs, a terminal in it. One of the three at a time. */
export class PodView implements View {
  readonly #context: ViewContext;
  readonly #pod: LivePod;
  readonly #events: LiveList<KubeEvent>;
  readonly #usage: UsagePoll;
  readonly #lastWords: LastWords;
  readonly #text: LiveObject;
  #route: PodRoute;
  #eventsPage = 1;
  #logs: LogPanel | undefined;
  #terminal: TerminalPanel | undefined;

  constructor(context: ViewContext, route: PodRoute) {
    const { namespace, name } = route;
    this.#context = context;
    this.#route = route;
    this.#pod = new LivePod({ ...context, namespace, name });
    const about = `involvedObject.kind=Pod,involvedObject.name=${name}`;
    this.#usage = new UsagePoll({ ...context, namespace, name });
    this.#lastWords = new LastWords(context.client, { namespace, pod: name }, context.changed);
    this.#text = new LiveObject({ ...context, type: kinds.pods, namespace, name });
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
    const isOther = route.container !== this.#route.container || route.previous !== this.#route.previous;
    if (tab === 'logs' && (route.tab !== 'logs' || isOther)) {
      this.#logs?.close();
      this.#logs = undefined;
    }
    if (isOther && !this.#terminal?.hasBegun) this.#terminal = undefined;
    this.#route = route;
    return true;
  }

  follow(): void {
    this.#pod.follow();
    if (this.#route.tab === 'overview') {
      this.#events.follow();
      this.#usage.follow();
    } else {
      this.#events.rest();
      this.#usage.rest();
    }
  }

  /** Logs and terminals go on: what comes meanwhile would be lost. */
  rest(): void {
    this.#pod.rest();
    this.#events.rest();
    this.#usage.rest();
  }

  close(): void {
    this.rest();
    this.#lastWords.close();
    this.#logs?.close();
    this.#terminal?.close();
  }

  shown(): void {
    this.#panel()?.shown();
  }

  render(nowMs: number) {
    const { namespace, name, tab } = this.#route;
    const { pod, troubles, restriction, isKnown } = this.#pod;
    const panel = this.#panel();
    return html`
      <div class="bar">
        <h1>Pod ${name} <small>in ${namespace}</small></h1>
        <nav aria-label="Parts of the pod">
          ${podTabs.map(
            (one) => html`
              <a
                href=${formatRoute({ ...this.#route, tab: one, previous: false })}
                aria-current=${one === tab ? 'page' : nothing}
                >${tabTitles[one]}</a
              >
            `,
          )}
        </nav>
      </div>
      ${troubles.map(troubleNotice)} ${restriction ? html`<p class="notice waiting" role="status">${restriction}</p>` : nothing}
      ${
        pod || panel?.hasBegun || (troubles.length > 0 && !isKnown)
          ? nothing
          : html`<p class="notice" role="status">
            ${isKnown ? 'There is no such pod (any more).' : 'Reading the pod…'}
          </p>`
      }
      ${panel ? panel.render(pod && containerNames(pod)) : tab === 'yaml' ? this.#yaml(pod) : this.#overview(pod, nowMs)}
    `;
  }

  readonly #turnedEvents = (pageNumber: number) => {
    this.#eventsPage = pageNumber;
    this.#context.changed();
  };

  #panel(): LogPanel | TerminalPanel | undefined {
    const { namespace, name, tab, container, previous } = this.#route;
    const target = { namespace, pod: name, container };
    if (tab === 'overview' || tab === 'yaml') return undefined;
    if (tab === 'logs') {
      this.#logs ??= new LogPanel(this.#context, { ...target, previous }, ({ container, previous }) => {
        this.#route = { ...this.#route, container, previous };
        this.#context.moved(this.#route);
      });
      return this.#logs;
    }
    this.#terminal ??= new TerminalPanel(this.#context, target);
    return this.#terminal;
  }

  #yaml(pod: Pod | undefined) {
    const { resourceVersion } = pod?.metadata ?? {};
    if (resourceVersion !== undefined) this.#text.look(resourceVersion);
    const { yaml, trouble } = this.#text;
    return html`${troubleNotice(trouble)}${yaml ? yamlView(yaml) : nothing}`;
  }

  #overview(pod: Pod | undefined, nowMs: number) {
    if (!pod) return nothing;
    const { catalog } = this.#context;
    if (pod.metadata.ownerReferences) catalog.readOnce();
    const { objects, isComplete, trouble } = this.#events;
    const table = tableOf(lists.events, {
      objects,
      nowMs,
      showsNamespace: false,
      filter: '',
      pageNumber: this.#eventsPage,
    });
    const { resources = [] } = catalog;
    const place = { ...this.#route, previous: false };
    return detailsView(podDetails(pod, { events: [...objects], nowMs, resources }), {
      usage: usageTexts(this.#usage.metrics, pod),
      given: containersGiven(pod),
      lastWordsOf: ({ name, restarts, ended }) =>
        this.#lastWords.of({ name, restarts, previous: ended?.previous ?? false }),
      logHref: (container, previous) => formatRoute({ ...place, tab: 'logs', container, previous }),
      terminalHref: (container) => formatRoute({ ...place, tab: 'terminal', container }),
      events: html`
        <h2>Events</h2>
        ${troubleNotice(trouble)}
        ${table.total === 0 ? emptyNotice({ isComplete, trouble }, 'events') : tableView(table, 'Events of the pod', this.#turnedEvents)}
      `,
    });
  }
}
