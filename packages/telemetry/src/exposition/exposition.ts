import { delimitedFamilies } from './delimited-families.ts';

/** A page of metrics as it is sent. */
export interface Exposition {
  type: string;
  body: Uint8Array;
}

const textType = 'text/plain; version=0.0.4; charset=utf-8';
const protobufType =
  'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited';
/** How names of other characters than these are written; there are none. */
const escapings: ReadonlySet<string> = new Set(['allow-utf-8', 'underscores', 'dots', 'values']);
/** Clauses of an Accept header that are read. */
const clausesMax = 100;

/**
 * A page in the text format 0.0.4, as it is or in protobuf, whichever an Accept header takes first (upstream: expfmt.Negotiate).
 * Text goes to who takes neither.
 */
export function exposition(text: string, accept = ''): Exposition {
  let escaping = 'underscores';
  for (const parameters of clausesOf(accept)) {
    const asked = parameters.get('escaping') ?? '';
    if (escapings.has(asked)) escaping = asked;
    const end = `; escaping=${escaping}`;
    if (isProtobuf(parameters)) return { type: `${protobufType}${end}`, body: delimitedFamilies(text) };
    if (isText(parameters)) return { type: `${textType}${end}`, body: Buffer.from(text) };
  }
  return { type: `${textType}; escaping=${escaping}`, body: Buffer.from(text) };
}

/** By quality; the type stands under ''. */
function clausesOf(accept: string): Map<string, string>[] {
  const clauses = accept.split(',', clausesMax).map((clause) => {
    const [type = '', ...rest] = clause.split(';').map((part) => part.trim());
    const pairs = rest.map((part): [string, string] => {
      const [name = '', value = ''] = part.split('=', 2);
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', '')];
    });
    return new Map([['', type.toLowerCase()], ...pairs]);
  });
  const qualityOf = (clause: Map<string, string>) => Number.parseFloat(clause.get('q') ?? '1') || 0;
  return clauses.sort((left, right) => qualityOf(right) - qualityOf(left));
}

const isProtobuf = (clause: ReadonlyMap<string, string>) =>
  clause.get('') === 'application/vnd.google.protobuf' &&
  clause.get('proto') === 'io.prometheus.client.MetricFamily' &&
  clause.get('encoding') === 'delimited';

const isText = (clause: ReadonlyMap<string, string>) =>
  clause.get('') === 'text/plain' && ['0.0.4', ''].includes(clause.get('version') ?? '');
