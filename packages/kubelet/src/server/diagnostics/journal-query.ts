import { HttpError } from '../answers.ts';

/** What is asked of a node's logs beside a file's path (upstream: pkg/kubelet/kubelet_server_journal.go). */
export interface JournalQuery {
  /** Units of systemd, or names of log files; none where a file is asked for. */
  services: readonly string[];
  /** A file below the folder of logs. */
  file: string | undefined;
  /** Says which of a service's lines: journalctl's arguments. */
  selection: readonly string[];
}

const servicesMax = 4;
const serviceCharactersMax = 256;
const tailLinesMax = 100_000;
/** Patterns are journalctl's to run, in a process that is given up after its time. */
const patternCharactersMax = 1_024;

/** Reads it; undefined where there is none. Throws 400 for values that are none, 406 for what does not go together. */
export function readJournalQuery(parameters: URLSearchParams): JournalQuery | undefined {
  const since = time(parameters, 'sinceTime');
  const until = time(parameters, 'untilTime');
  const tailLines = whole(parameters, 'tailLines');
  const boot = whole(parameters, 'boot');
  const pattern = parameters.get('pattern') ?? '';
  const named = parameters.getAll('query');
  const files = named.filter((name) => /[/\\]/.test(name));
  const services = named.filter((name) => !files.includes(name) && name.trim() !== '');
  if (parameters.has('query') && named.length > 0 && files.length + services.length === 0)
    throw new HttpError(400, `query: Invalid value: ${JSON.stringify(named)}: may not be empty`);
  const selection = [
    ...(since ? [`--since=${stamp(since)}`] : []),
    ...(until ? [`--until=${stamp(until)}`] : []),
    ...(tailLines === undefined ? [] : ['--pager-end', `--lines=${tailLines}`]),
    ...(pattern ? [`--grep=${pattern}`] : []),
    ...(boot === undefined ? [] : [`--boot=${boot}`]),
  ];
  if (named.length === 0 && selection.length === 0) return undefined;
  for (const [broken, message] of [
    [files.length + services.length === 0, 'query: Required value: cannot be empty with options'],
    [files.length > 0 && services.length > 0, 'query: cannot specify a file and service'],
    [files.length > 1, 'query: cannot specify more than one file'],
    [files.length === 1 && selection.length > 0, 'query: cannot specify file with options'],
    [
      services.length > servicesMax,
      `query: Too many: ${services.length}: must have at most ${servicesMax} items`,
    ],
    [
      services.some((name) => !isServiceName(name)),
      'query: input contains unsupported characters, or more than 256',
    ],
    [since && until && since > until, 'untilTime: must be after `sinceTime`'],
    [boot !== undefined && boot > 0, `boot: Invalid value: ${boot}: must be less than 1`],
    [
      tailLines !== undefined && (tailLines < 0 || tailLines > tailLinesMax),
      `tailLines: Invalid value: ${tailLines}: must be between 0 and ${tailLinesMax}, inclusive`,
    ],
    [pattern.length > patternCharactersMax, `pattern: must have at most ${patternCharactersMax} characters`],
  ] as const)
    if (broken) throw new HttpError(406, message);
  return { services, file: files[0]?.replaceAll('\\', '/'), selection };
}

const isServiceName = (name: string) => name.length <= serviceCharactersMax && /^[\w.:@-]+$/.test(name);

function time(parameters: URLSearchParams, name: string): Date | undefined {
  const text = parameters.get(name);
  if (!text) return undefined;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const found = new Date(text);
  if (isTime && !Number.isNaN(found.getTime())) return found;
  throw new HttpError(400, `${name}: Invalid value: ${JSON.stringify(text)}: invalid time format`);
}

function whole(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (!text) return undefined;
  if (/^[+-]?\d{1,9}$/.test(text)) return Number(text);
  throw new HttpError(400, `${name}: Invalid value: ${JSON.stringify(text)}: invalid syntax`);
}

/** As journalctl reads times; its own zone is the machine's. */
const stamp = (time: Date) => time.toISOString().replace('T', ' ').replace('Z', ' UTC');
