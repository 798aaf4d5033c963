import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Finds the modules of the workspace in which the names stand that its packages export. */
export class DirectImports {
  readonly #packages: string;
  readonly #onRead: (path: string) => void;
  readonly #entries = new Map<string, string | undefined>();
  readonly #exports = new Map<string, Map<string, Source>>();

  /** `packages`: the folder of the workspace's packages; `onRead` is told of each module before it is read for what it exports. */
  constructor(packages: string, onRead: (path: string) => void = () => {}) {
    this.#packages = packages;
    this.#onRead = onRead;
  }

  /**
   * A module's text, in which what it imports by name from a package comes from the module that the name stands in. In a bundle of
   * several programs each would load what any of them uses of a package; so it loads what it uses itself.
   */
  rewrite(source: string): string {
    return source.replace(imported, (statement, names: string, specifier: string) => {
      const entry = this.#entryOf(specifier);
      if (entry === undefined) return statement;
      const found = this.#exportsOf(entry);
      const lines = pairsOf(names).map(([name, own]) => {
        const at = found.get(name) ?? { module: specifier, name };
        return `import { ${at.name} as ${own} } from ${JSON.stringify(at.module)};`;
      });
      // The lines behind it keep their numbers.
      return lines.join(' ') + '\n'.repeat(statement.split('\n').length - 1);
    });
  }

  #entryOf(specifier: string): string | undefined {
    if (!this.#entries.has(specifier)) this.#entries.set(specifier, this.#findEntry(specifier));
    return this.#entries.get(specifier);
  }

  #findEntry(specifier: string): string | undefined {
    const [, name = '', path = ''] = /^@wherry\/([^/]+)(.*)$/.exec(specifier) ?? [];
    const home = join(this.#packages, name);
    const manifest = join(home, 'package.json');
    if (name === '' || !existsSync(manifest)) return undefined;
    const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports: Record<string, Target> };
    const target = new Map(Object.entries(exports)).get(`.${path}`);
    const file = typeof target === 'string' ? target : target?.default;
    return file?.endsWith('.ts') ? join(home, file) : undefined;
  }

  #exportsOf(module: string): Map<string, Source> {
    const known = this.#exports.get(module);
    if (known) return known;
    const found = new Map<string, Source>();
    this.#exports.set(module, found);
    this.#onRead(module);
    const text = readFileSync(module, 'utf8');
    for (const [, name = ''] of text.matchAll(declared)) found.set(name, { module, name });
    for (const [, names, specifier = ''] of text.matchAll(passedOn)) {
      if (!specifier.startsWith('.')) continue;
      const there = this.#exportsOf(join(dirname(module), specifier));
      if (names === undefined) {
        for (const [name, source] of there) if (!found.has(name)) found.set(name, source);
        continue;
      }
      for (const [name, own] of pairsOf(names)) {
        const source = there.get(name);
        if (source) found.set(own, source);
      }
    }
    return found;
  }
}

/** What stands between braces: each name, and the one that it goes by here. Types are left out. */
function pairsOf(names: string): [name: string, own: string][] {
  return names.split(',').flatMap((words): [string, string][] => {
    const [, name, own = name] = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(words) ?? [];
    return name === undefined || own === undefined ? [] : [[name, own]];
  });
}

/** The module that an export stands in, by its path, and its name there. */
interface Source {
  module: string;
  name: string;
}

type Target = string | { default?: string };

const imported = /^import \{([^}]*)\} from '(@wherry\/[^']+)';/gm;
const declared = /^export (?:async function\*?|function\*?|(?:abstract )?class|const|let|enum) (\w+)/gm;
const passedOn = /^export (?:\*|\{([^}]*)\}) from '([^']+)';/gm;
