import { writeYaml, type YamlValue } from '../yaml/write-yaml.ts';
import { type PageForm, type PageKind, pageForm } from './page-form.ts';

/** What a process tells of itself. */
export interface ProcessPagesOptions {
  /** What it is called upstream: `kubelet`. */
  component: string;
  /** `1.36.2`; and the one whose API it speaks, where it speaks one of its own. */
  version: string;
  emulationVersion?: string | undefined;
  /** What it serves; told are the first parts of those that help to find a fault. */
  paths: readonly string[];
  /** By name, without the dashes. Undefined: it was not started by flags, and has no `/flagz`. */
  flags?: Readonly<Record<string, string>> | undefined;
}

/** An answer, 200. */
export interface ProcessPage {
  type: string;
  text: string;
  /** What who asks may not know: the text of a Warning header, quoted. */
  warning?: string | undefined;
}

/** When the process began, and what time it is. */
export interface ProcessTimes {
  startedMs: number;
  nowMs: number;
}

/** Those of this process, at this time. */
export const timesOfProcess = (nowMs: number): ProcessTimes => ({
  startedMs: nowMs - process.uptime() * 1_000,
  nowMs,
});

const otherPaths: ReadonlySet<string> = new Set(['/apis', '/api', '/openid', '/openapi', '/.well-known']);

/** `/statusz` and `/flagz`, as text or as objects of `config.k8s.io` (KEP-4827, KEP-4828; upstream: apiserver pkg/server). */
export class ProcessPages {
  readonly #options: ProcessPagesOptions;

  constructor(options: ProcessPagesOptions) {
    this.#options = options;
  }

  /** Whether such a page is there. */
  has(path: string): boolean {
    return path === '/statusz' || (path === '/flagz' && this.#options.flags !== undefined);
  }

  /** Undefined where there is no such page. Throws 406 where it can't be had as who asks takes it. */
  answer(path: string, accept: string | undefined, times: ProcessTimes): ProcessPage | undefined {
    if (!this.has(path)) return undefined;
    const kind = path === '/statusz' ? 'Statusz' : 'Flagz';
    const form = pageForm(accept, kind);
    if (form.encoding === 'text') {
      const type = 'text/plain; charset=utf-8';
      const lines = kind === 'Statusz' ? this.#statusLines(times) : this.#flagLines();
      return { type, text: `${this.#head(path)}${lines.map((line) => `${line}\n`).join('')}` };
    }
    const object = {
      ...{ kind, apiVersion: `config.k8s.io/${form.version}`, metadata: { name: this.#options.component } },
      ...(kind === 'Statusz' ? this.#status(times) : { flags: this.#flags }),
    };
    const type = `application/${form.encoding};g=config.k8s.io;v=${form.version};as=${kind}`;
    return { type, text: encode(object, form), warning: warningOf(form, kind) };
  }

  get #flags(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.#options.flags ?? {}).sort());
  }

  get #paths(): string[] {
    const { paths } = this.#options;
    const first = paths.map((path) => `/${path.split('/')[1] ?? ''}`);
    return [...new Set(first)].filter((path) => path !== '/' && !otherPaths.has(path)).sort();
  }

  #status({ startedMs, nowMs }: ProcessTimes) {
    const { version, emulationVersion } = this.#options;
    return {
      startTime: new Date(startedMs).toISOString().replace(/\.\d+/, ''),
      uptimeSeconds: secondsOf(startedMs, nowMs),
      // There is no Go.
      goVersion: '',
      binaryVersion: version,
      ...(emulationVersion !== undefined && { emulationVersion }),
      paths: this.#paths,
    };
  }

  #statusLines({ startedMs, nowMs }: ProcessTimes): string[] {
    const { version, emulationVersion } = this.#options;
    return [
      '',
      `Started: ${new Date(startedMs).toUTCString()}`,
      `Up: ${uptime(secondsOf(startedMs, nowMs))}`,
      `Node version: ${process.version}`,
      `Binary version: ${version}`,
      ...(emulationVersion === undefined ? [] : [`Emulation version: ${emulationVersion}`]),
      `Paths: ${this.#paths.join(' ')}`,
    ];
  }

  #flagLines(): string[] {
    return Object.entries(this.#flags).map(([name, value]) => `${name}=${value}`);
  }

  #head(path: string): string {
    const warning = 'Warning: this page is for people who look for a fault; its form may change at any time.';
    return `\n${this.#options.component} ${path.slice(1)}\n${warning}\n`;
  }
}

const secondsOf = (startedMs: number, nowMs: number) => Math.floor(Math.max(0, nowMs - startedMs) / 1_000);

function encode(object: object, form: Exclude<PageForm, { encoding: 'text' }>): string {
  if (form.encoding === 'yaml') return writeYaml(object as YamlValue);
  return form.isIndented ? JSON.stringify(object, null, 2) : `${JSON.stringify(object)}\n`;
}

function warningOf(form: PageForm, kind: PageKind): string | undefined {
  if (form.encoding === 'text' || form.version !== 'v1alpha1') return undefined;
  return `This version of the ${kind.toLowerCase()} endpoint is deprecated. Please use a newer version.`;
}

function uptime(seconds: number): string {
  const twoDigits = (count: number) => String(count % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)} hr ${twoDigits(minutes)} min ${twoDigits(seconds)} sec`;
}
