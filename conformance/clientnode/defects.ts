/** One thing that goes wrong with @kubernetes/client-node 2.0.1, and what comes of it on either side. */
export interface Defect {
  /** As in `defects/` and, where the server is scripted, in `plays`. */
  name: string;
  /** What happens, for people. */
  story: string;
  clientNode: RegExp;
  wherry: RegExp;
  /** Its tracker's number, where it has one. */
  issue?: number;
}

export const defects: readonly Defect[] = [
  {
    name: 'torn watch',
    story: 'The connection of an informer’s watch is torn',
    clientNode: /^add a, error$/,
    wherry: /^add a, error, add b$/,
    issue: 1496,
  },
  {
    name: 'list refused once',
    story: 'An informer’s first list is answered with 503',
    clientNode: /^error$/,
    wherry: /^error, add a$/,
    issue: 836,
  },
  {
    name: 'too many requests',
    story: 'A watch is answered with 429 and a Retry-After',
    clientNode: /^add a, error$/,
    wherry: /^add a, add b$/,
  },
  {
    name: 'replaced object',
    story: 'An object was replaced by another of its name while a watch was away',
    clientNode: /^add a, update a$/,
    wherry: /^add a, delete a, add a$/,
  },
  {
    name: 'error event',
    story: 'The server tells of a failure in a watch (an ERROR event of 500), and sends nothing more',
    clientNode: /^add a$/,
    wherry: /^add a, error$/,
  },
  {
    name: 'bookmarks',
    story: 'A quiet watch asks for bookmarks, so that it can go on where it was',
    clientNode: /^without bookmarks$/,
    wherry: /^with bookmarks$/,
  },
  {
    name: 'handler that throws',
    story: 'What is done with an event throws',
    clientNode: /^nobody is told$/,
    wherry: /^told: Error: a mistake$/,
  },
  {
    name: 'exec that is cut',
    story: 'The connection of an exec is cut before its status came',
    clientNode: /^nobody is told$/,
    wherry: /^rejects: RemoteCommandError connectionLost$/,
  },
  {
    name: 'exec that is refused',
    story: 'An exec names a pod that is not there',
    clientNode: /^no Error: ErrorEvent$/,
    wherry: /^StatusError 404 NotFound$/,
  },
  {
    name: 'exec with a slow reader',
    story: 'Nobody reads the 200 MB that a command prints',
    clientNode: /^all of it waits in memory$/,
    wherry: /^the command waits$/,
  },
  {
    name: 'copy of a missing file',
    story: 'A file is copied from a pod that does not have it',
    clientNode: /^the program ends by an unhandled rejection$/,
    wherry: /^rejects: .*\/missing/,
    issue: 982,
  },
  {
    name: 'forward half-closed',
    story: 'A forwarded connection ends its request and waits for the answer',
    clientNode: /^nothing, and no error$/,
    wherry: /^[0-9a-f]{64} /,
  },
  {
    name: 'forward to a closed port',
    story: 'A connection is forwarded to a port that nobody listens on',
    clientNode: /^nothing, and no error$/,
    wherry: /^error: /,
  },
];
