import type { ServerResponse } from 'node:http';
import type { Clock } from '@wherry/clock';
import { profileSecondsDefault, profileSecondsMax } from '../../limits.ts';
import { answerHtml, answerText, HttpError, leavingOf } from '../answers.ts';
import { type ProfileKind, Profiler } from './profiler.ts';

const root = '/debug/pprof/';
const fileNames: Readonly<Record<ProfileKind, string>> = {
  profile: 'profile.cpuprofile',
  heap: 'heap.heapprofile',
};
/** Profiles of Go's runtime. */
const goProfiles: ReadonlySet<string> = new Set([
  'allocs',
  'block',
  'goroutine',
  'mutex',
  'symbol',
  'threadcreate',
  'trace',
]);

/** `/debug/pprof/…`, in V8's formats. */
export class ProfileRoutes {
  readonly #profiler: Profiler;

  constructor(clock: Clock) {
    this.#profiler = new Profiler(clock);
  }

  async serve(response: ServerResponse, url: URL): Promise<void> {
    const name = url.pathname.slice(root.length);
    response.setHeader('x-content-type-options', 'nosniff');
    if (name === '') return answerHtml(response, index());
    if (name === 'cmdline') return answerText(response, process.argv.join('\0'));
    if (name === 'profile' || name === 'heap') return this.#record(name, response, url.searchParams);
    if (!goProfiles.has(name)) throw new HttpError(404, 'Unknown profile');
    throw new HttpError(
      501,
      `${name} is a profile of Go's runtime, which is not here; there are heap and profile`,
    );
  }

  async #record(kind: ProfileKind, response: ServerResponse, query: URLSearchParams): Promise<void> {
    const delayMs = requestedSeconds(query) * 1_000;
    const profile = await this.#profiler.record(kind, delayMs, leavingOf(response));
    response.setHeader('content-disposition', `attachment; filename="${fileNames[kind]}"`);
    answerText(response, profile, 'application/json');
  }
}

/** Whole seconds; what is no number above zero means the default, as upstream. */
function requestedSeconds(query: URLSearchParams): number {
  const text = query.get('seconds') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : 0;
  if (seconds <= profileSecondsMax) return seconds || profileSecondsDefault;
  throw new HttpError(400, `seconds=${text} is more than ${profileSecondsMax}, the longest profile`);
}

function index(): string {
  const links = ['cmdline', 'heap?seconds=5', 'profile?seconds=5'];
  const lines = links.map((link) => `<a href="${link}">${link}</a>\n`);
  return `<title>${root}</title>\n<pre>\n${lines.join('')}</pre>\n`;
}
