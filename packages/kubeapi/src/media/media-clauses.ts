/** One clause of an Accept or Content-Type header. */
export interface MediaClause {
  type: string;
  parameters: ReadonlyMap<string, string>;
}

/** `a/b;x=y` → its parts, lower-case but for the values. A parameter without a value is none, as goautoneg has it. */
export function parseMediaClause(text: string): MediaClause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [name = '', value = '', ...more] = part.split('=');
    if (value !== '' && more.length === 0) parameters.set(name.toLowerCase(), value.replace(/^"|"$/g, ''));
  }
  return { type: type.toLowerCase(), parameters };
}

/** More than any client sends: sorting takes as many steps as their square. */
const clausesMax = 100;

/**
 * The clauses of an Accept header, of many the first 100: by quality, but what names its type does not let what does not pass it,
 * and stays the first of equals: the order of goautoneg, which depends on how the clauses stood.
 */
export function preferredClauses(accept: string): MediaClause[] {
  const sorted = accept.split(',', clausesMax).map(parseMediaClause);
  for (let end = 1; end < sorted.length; end += 1) {
    for (let at = end; at > 0 && isPreferred(sorted[at]!, sorted[at - 1]!); at -= 1)
      sorted.splice(at - 1, 2, sorted[at]!, sorted[at - 1]!);
  }
  return sorted;
}

const qualityOf = ({ parameters }: MediaClause) => Number.parseFloat(parameters.get('q') ?? '1') || 0;

function isPreferred(clause: MediaClause, other: MediaClause): boolean {
  if (qualityOf(clause) > qualityOf(other)) return true;
  const [type, subtype] = clause.type.split('/');
  const [otherType, otherSubtype] = other.type.split('/');
  return (type !== '*' && otherType === '*') || (subtype !== '*' && otherSubtype === '*');
}

/** Whether a clause stands for a media type. */
export function isOfClause({ type: wanted }: MediaClause, type: string): boolean {
  const [first] = type.split('/');
  return wanted === type || wanted === '*/*' || wanted === `${first}/*`;
}
