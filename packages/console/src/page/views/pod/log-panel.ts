import { html, nothing } from 'lit-html';
import { type LogChoice, LogFollower, logUrl } from '../../cluster/log-follower.ts';
import { limits } from '../../limits.ts';
import { LogSearch } from '../../models/log/log-search.ts';
import { troubleNotice } from '../notices.ts';
import type { ViewContext } from '../view.ts';
import { containerChoice } from './container-choice.ts';
import { logSearchField } from './log-search-field.ts';
import { LogText } from './log-text.ts';

/** What of which pod. */
export interface PanelTarget {
  namespace: string;
  pod: string;
  container: string | undefined;
  /** Its instance before the last restart. */
  previous?: boolean | undefined;
}

/** The log of one container, which stays at its end unless somebody reads further up. */
export class LogPanel {
  readonly #context: ViewContext;
  readonly #chosen: (choice: LogChoice) => void;
  readonly #text = new LogText();
  #search = new LogSearch();
  #choice: LogChoice;
  #follower: LogFollower | undefined;

  /** `chosen`: another container or instance was. */
  constructor(
    context: ViewContext,
    { container = '', previous = false, ...target }: PanelTarget,
    chosen: (choice: LogChoice) => void,
  ) {
    this.#context = context;
    this.#chosen = chosen;
    this.#choice = { ...target, container, previous, follow: true, timestamps: false };
  }

  get hasBegun(): boolean {
    return this.#follower !== undefined;
  }

  /** `containers`: undefined until the pod is known. */
  render(containers: readonly string[] | undefined) {
    if (containers && this.#choice.container === '')
      this.#choice = { ...this.#choice, container: containers[0] ?? '' };
    if (!this.#follower && containers && this.#choice.container !== '') this.#begin();
    if (!this.#follower) return nothing;
    const { container, follow, previous, timestamps } = this.#choice;
    const { state, trouble, buffer } = this.#follower;
    this.#search.update(buffer);
    return html`
      <div class="bar">
        ${containerChoice(containers ?? [container], container, (name) => this.#choose({ container: name }))}
        ${this.#option('Follow', follow, { follow: !follow })}
        ${this.#option('Previous instance', previous, { previous: !previous })}
        ${this.#option('Times', timestamps, { timestamps: !timestamps })}
        <span role="status">${state}</span>
        ${
          buffer.dropped > 0
            ? html`<span>the last ${limits.logLinesMax} lines at most; ${buffer.dropped} older ones are gone</span>`
            : nothing
        }
      </div>
      <div class="bar">
        ${logSearchField(this.#search, { look: this.#looked, step: this.#stepped })}
        ${trouble ? nothing : html`<a href=${logUrl(this.#choice)} download=${fileName(this.#choice)}>Download</a>`}
      </div>
      ${troubleNotice(trouble)} ${this.#text.element}
    `;
  }

  shown(): void {
    const buffer = this.#follower?.buffer;
    if (buffer) this.#text.show(buffer, this.#search);
  }

  close(): void {
    this.#follower?.stop();
  }

  #option(title: string, isOn: boolean, change: Partial<LogChoice>) {
    return html`
      <label><input type="checkbox" .checked=${isOn} @change=${() => this.#choose(change)} /> ${title}</label>
    `;
  }

  readonly #looked = (query: string) => {
    if (this.#follower) this.#search.lookFor(query, this.#follower.buffer);
    this.#context.changed();
  };

  readonly #stepped = (by: 1 | -1) => {
    this.#search.step(by);
    this.#context.changed();
  };

  #choose(change: Partial<LogChoice>): void {
    this.#choice = { ...this.#choice, ...change };
    this.#begin();
    this.#chosen(this.#choice);
    this.#context.changed();
  }

  #begin(): void {
    const { client, changed } = this.#context;
    this.#follower?.stop();
    const { query } = this.#search;
    this.#text.clear();
    this.#search = new LogSearch();
    this.#follower = new LogFollower(client, this.#choice, changed);
    this.#search.lookFor(query, this.#follower.buffer);
  }
}

/** `web-main.log`. */
const fileName = ({ pod, container, previous }: LogChoice): string =>
  `${pod}-${container}${previous ? '-previous' : ''}.log`;
