import { type ApiClient, createApiClient, kinds } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { html, render } from 'lit-html';
import { Catalog } from './cluster/catalog.ts';
import { limits } from './limits.ts';
import { type ListName, listNames, lists } from './models/lists.ts';
import { isForbidden, messageOf } from './models/outcome.ts';
import { formatRoute, parseRoute, type Route } from './models/route.ts';
import { frameView } from './views/frame.ts';
import { ListView } from './views/list-view.ts';
import { troubleNotice } from './views/notices.ts';
import { KindsView } from './views/objects/kinds-view.ts';
import { ObjectView } from './views/objects/object-view.ts';
import { ObjectsView } from './views/objects/objects-view.ts';
import { OfKindView } from './views/objects/of-kind-view.ts';
import { PodView } from './views/pod/pod-view.ts';
import { SessionsView } from './views/sessions-view.ts';
import type { View, ViewContext } from './views/view.ts';

/** What the console's server says of the cluster. */
interface ClusterWords {
  server: string;
  namespace: string;
}

/** The page: one view at a time, by what stands behind # in the address. */
export class App {
  readonly #root: HTMLElement;
  readonly #client: ApiClient;
  readonly #catalog: Catalog;
  #words: ClusterWords = { server: '', namespace: '' };
  #namespaces: readonly string[] | undefined = [];
  #namespace = '';
  #route: Route | undefined;
  #view: View | undefined;
  #trouble: string | undefined;
  #isDue = false;
  #restUntilMs = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#client = createApiClient({ server: new URL('cluster', document.baseURI) });
    this.#catalog = new Catalog(this.#client, () => this.#changed());
  }

  async start(): Promise<void> {
    try {
      const answer = await fetch(new URL('cluster.json', document.baseURI));
      if (!answer.ok) throw new Error('log in again: open the link that "wherry console" printed last');
      this.#words = await answer.json();
      this.#namespace = this.#words.namespace;
    } catch (error) {
      this.#trouble = messageOf(error);
    }
    addEventListener('hashchange', () => this.#go());
    document.addEventListener('visibilitychange', () => this.#look());
    addEventListener('pagehide', () => this.#leave());
    addEventListener('pageshow', ({ persisted }) => persisted && this.#go());
    this.#go();
    this.#tick();
  }

  #go(): void {
    const route = parseRoute(location.hash);
    if (!route) {
      location.replace(formatRoute({ page: 'list', list: 'pods', namespace: this.#namespace }));
      return;
    }
    this.#route = route;
    if (route.page === 'list' || route.page === 'objects') this.#namespace = route.namespace;
    if (!this.#view?.turnTo?.(route)) {
      this.#view?.close();
      this.#view = this.#viewOf(route);
    }
    document.title = `${this.#view?.title ?? 'Nothing'} · wherry`;
    this.#look();
    this.#changed();
    void this.#readNamespaces();
  }

  #viewOf(route: Route): View | undefined {
    const changed = () => this.#changed();
    const moved = (route: Route) => this.#moved(route);
    const context: ViewContext = { client: this.#client, catalog: this.#catalog, changed, moved };
    if (route.page === 'kinds') return new KindsView(context, this.#namespace);
    if (route.page === 'objects')
      return new OfKindView(context, route.resource, (type) => new ObjectsView(context, type, route));
    if (route.page === 'object')
      return new OfKindView(context, route.resource, (type) => new ObjectView(context, { ...route, type }));
    if (route.page === 'sessions') return new SessionsView(context, route);
    if (route.page === 'pod') return new PodView(context, route);
    const name = listNames.find((one): one is ListName => one === route.list);
    return name && new ListView(context, lists[name], route);
  }

  #moved(route: Route): void {
    this.#route = route;
    history.replaceState(null, '', formatRoute(route));
    this.#changed();
  }

  /** A tab that nobody sees lets go of its watches. */
  #look(): void {
    if (document.visibilityState === 'hidden') this.#view?.rest();
    else this.#view?.follow();
  }

  /** The tab closes, or goes elsewhere: terminals are left in order. Who comes back finds the place, with a view of its own. */
  #leave(): void {
    this.#view?.close();
    this.#view = undefined;
  }

  /** Renders once for all that changes until the next picture, and the more rarely the longer that takes. */
  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const restMs = this.#restUntilMs - systemClock.monotonicMs();
    if (restMs < limits.pictureMs) this.#renderSoon();
    else systemClock.after(restMs, () => this.#renderSoon());
  }

  #renderSoon(): void {
    requestAnimationFrame(() => {
      const begunMs = systemClock.monotonicMs();
      this.#isDue = false;
      this.#render();
      const endMs = systemClock.monotonicMs();
      this.#restUntilMs =
        endMs + Math.min((endMs - begunMs) * limits.restPerRendering, limits.renderRestMaxMs);
    });
  }

  #render(): void {
    const view = this.#view;
    const content = html`
      ${troubleNotice(this.#trouble)}
      ${view ? view.render(systemClock.nowMs()) : html`<h1>There is no such view</h1><p class="notice">The address leads nowhere; the views are above.</p>`}
    `;
    const frame = frameView({
      ...{ server: this.#words.server, route: this.#route, content },
      ...{ namespace: this.#namespace, namespaces: this.#namespaces },
      chooseNamespace: (namespace) => {
        const route = this.#route;
        if (route?.page === 'list' || route?.page === 'objects')
          location.hash = formatRoute({ ...route, namespace });
      },
    });
    render(frame, this.#root);
    view?.shown?.();
  }

  /** At each place anew: others make and remove them. */
  async #readNamespaces(): Promise<void> {
    try {
      const { items } = await this.#client.resource(kinds.namespaces).listAll();
      this.#namespaces = items.map(({ metadata }) => metadata.name ?? '').sort();
    } catch (error) {
      // Who may not list them still knows some by name.
      if (isForbidden(error)) this.#namespaces = undefined;
    }
    this.#changed();
  }

  /** Ages grow. */
  #tick(): void {
    systemClock.after(limits.tickMs, () => {
      if (document.visibilityState === 'visible') this.#changed();
      this.#tick();
    });
  }
}
