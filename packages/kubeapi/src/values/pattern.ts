/**
 * Regular expressions that clients bring: in Go's syntax, and in time that grows with the text alone, so that nobody
 * holds up a server by one. The engine takes 5 MB, so it is loaded only where such expressions come.
 */
let engine: typeof import('re2js') | undefined;

/** A compiled expression. */
export interface Pattern {
  text: string;
  /** True when it is found anywhere in the text. */
  matches(text: string): boolean;
  /** What is found first, and so on, at most so many. */
  findAll(text: string, most?: number): string[];
}

/** Loads the engine. Whoever compiles a schema or checks a definition of custom resources waits for this first. */
export async function loadPatternEngine(): Promise<void> {
  engine ??= await import('re2js');
}

/** Throws an Error that says what is wrong with the text. */
export function compilePattern(text: string): Pattern {
  if (!engine) throw new Error('loadPatternEngine() must have been waited for');
  const compiled = engine.RE2JS.compile(text);
  return {
    text,
    matches: (subject) => compiled.matcher(subject).find(),
    findAll(subject, most = Number.POSITIVE_INFINITY) {
      const matcher = compiled.matcher(subject);
      const found: string[] = [];
      while (found.length < most && matcher.find()) found.push(matcher.group() ?? '');
      return found;
    },
  };
}

/** What is wrong with an expression; undefined when it is fine. */
export function patternComplaint(text: string): string | undefined {
  try {
    compilePattern(text);
    return undefined;
  } catch (error) {
    if (engine && error instanceof engine.RE2JSException) return error.message;
    throw error;
  }
}
