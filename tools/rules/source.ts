import { join, relative } from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { API, type Checker, type Project } from 'typescript/unstable/sync';

/** One place that breaks a rule. */
export interface Breach {
  /** Path from the root of the checked project. */
  file: string;
  /** Counted from 1. */
  line: number;
  /** What stands there, and what to write instead. */
  message: string;
}

/** Looks at one node; what it returns is why the node breaks the rule. */
export type Rule = (node: Node, checker: Checker) => string | undefined;

/** The type-checked sources of one tsconfig.json. `close` ends the compiler behind it. */
export class Sources {
  readonly #root: string;
  readonly #api: API;
  readonly #project: Project;

  /** `folder`, below `root`, is that of the tsconfig.json. Throws when there is none. */
  constructor(root: string, folder = '.') {
    this.#root = root;
    this.#api = new API({ cwd: root });
    const openProject = join(root, folder, 'tsconfig.json');
    const [project] = this.#api.updateSnapshot({ openProjects: [openProject] }).getProjects();
    if (!project) throw new Error(`no TypeScript project at ${openProject}`);
    this.#project = project;
  }

  /** Every breach of `rule` in files that `includes` takes; the path it gets is relative to the root. */
  check(rule: Rule, includes: (path: string) => boolean): Breach[] {
    const { program, checker } = this.#project;
    const breaches: Breach[] = [];
    for (const name of program.getSourceFileNames()) {
      const file = relative(this.#root, name);
      if (file.startsWith('..') || file.includes('node_modules') || !includes(file)) continue;
      const source = program.getSourceFile(name);
      if (!source) continue;
      const visit = (node: Node): void => {
        const message = rule(node, checker);
        if (message) breaches.push({ file, line: lineOf(source, node), message });
        node.forEachChild(visit);
      };
      source.forEachChild(visit);
    }
    return breaches;
  }

  close(): void {
    this.#api.close();
  }
}

function lineOf(source: SourceFile, node: Node): number {
  return source.text.slice(0, node.getStart(source)).split('\n').length;
}
