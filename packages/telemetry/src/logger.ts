/** One line per event: a sentence, then its facts as key=value. */
export interface Logger {
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
  /** A logger that adds `facts` to every line. */
  with(facts: Record<string, unknown>): Logger;
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** How loud a logger is: lines below this level are dropped. */
export type LogLevel = (typeof levels)[number];

function formatFact(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  if (typeof value === 'string') return /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? 'undefined';
}

/** A logger that hands finished lines (without newline) to `write`; the default writes to stderr. A level given as a function counts anew with every line. */
export function createLogger(
  component: string,
  options: {
    level?: LogLevel | (() => LogLevel);
    write?: (line: string) => void;
    facts?: Record<string, unknown>;
  } = {},
): Logger {
  const { level = 'info', write = (line: string) => process.stderr.write(`${line}\n`), facts = {} } = options;
  const lowest = () => levels.indexOf(typeof level === 'function' ? level() : level);
  const at = (name: LogLevel) => (message: string, more?: Record<string, unknown>) => {
    if (levels.indexOf(name) < lowest()) return;
    const all = Object.entries({ ...facts, ...more }).map(([key, value]) => `${key}=${formatFact(value)}`);
    write([new Date().toISOString(), name, component, JSON.stringify(message), ...all].join(' '));
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (more) => createLogger(component, { level, write, facts: { ...facts, ...more } }),
  };
}

/** A logger that says nothing. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => silentLogger,
};
