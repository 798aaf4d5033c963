import type { Node } from 'typescript/unstable/ast';
import { isIdentifier, isSourceFile, isVariableDeclaration } from 'typescript/unstable/ast/is';
import type { Symbol as Declared, Project } from 'typescript/unstable/sync';

/** One entry of a package. */
export interface Entry {
  /** As a consumer names it: `@wherry/bytes/suite`. */
  name: string;
  /** Its declarations: absolute path of the `.d.ts` file. */
  file: string;
}

/** What the compiler knows of all packages, and whose declarations are reported. */
export interface ReportScope {
  project: Project;
  /** Declarations of this package lie below this absolute path. */
  folder: string;
}

/**
 * The public types of a package as text: what each entry exports, by name, and below it what that stands on without being
 * exported; what another entry has shown is only named. Of generated declarations and of other packages' only the names, since those are reviewed where they are made.
 */
export function apiReport(entries: readonly Entry[], scope: ReportScope): string {
  const told = new Set<number>();
  const behind = new Map<number, Declared>();
  const sections = entries.map(({ name, file }) => {
    const again: string[] = [];
    const lines = exportsOf(file, scope).flatMap((symbol) => {
      const target = targetOf(symbol, scope);
      if (told.has(target.id)) {
        again.push(symbol.name);
        return [];
      }
      told.add(target.id);
      return declarationsOf(target, symbol.name, scope, behind);
    });
    if (again.length > 0) lines.push(...wrapped(`As above: ${again.join(' ')}`));
    return `== ${name}\n\n${lines.join('\n')}\n`;
  });
  const rest: string[] = [];
  // What is found on the way joins the map, and is visited too.
  for (const [id, symbol] of behind)
    if (!told.has(id)) rest.push(...declarationsOf(symbol, symbol.name, scope, behind));
  if (rest.length > 0) sections.push(`== behind these\n\n${rest.sort().join('\n')}\n`);
  return sections.join('\n');
}

const wrapped = (text: string): string[] => text.match(/.{1,118}(?= |$)/g)?.map((line) => line.trim()) ?? [];

function exportsOf(file: string, { project }: ReportScope): Declared[] {
  const source = project.program.getSourceFile(file);
  const module = source && project.checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`"${file}" exports nothing`);
  return [...project.checker.getExportsOfModule(module)].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const aliasFlag = 1 << 21;

function targetOf(symbol: Declared, { project }: ReportScope): Declared {
  return symbol.flags & aliasFlag ? project.checker.getAliasedSymbol(symbol) : symbol;
}

function declarationsOf(
  symbol: Declared,
  name: string,
  scope: ReportScope,
  behind: Map<number, Declared>,
): string[] {
  return symbol.declarations.flatMap((handle) => {
    const node = handle.resolve(scope.project);
    if (!node) return [];
    const path = node.getSourceFile().fileName;
    if (!path.startsWith(scope.folder)) return [`${name}: of another package`];
    if (path.includes('/generated/')) return [`${name}: generated`];
    if (isSourceFile(node)) return [`${name}: all of ${path.slice(scope.folder.length)}`];
    for (const found of namedIn(node, scope)) behind.set(found.id, found);
    const text = statementOf(node)
      .getText()
      .replace(/^export (declare )?|^declare /, '');
    return [symbol.name === name ? text : `${name} = ${text}`];
  });
}

/** A variable's declaration says little without the words around it. */
const statementOf = (node: Node): Node => (isVariableDeclaration(node) ? node.parent.parent : node);

/** The package's own declarations that `node` names. */
function namedIn(node: Node, scope: ReportScope): Declared[] {
  const identifiers: Node[] = [];
  const visit = (child: Node): void => {
    if (isIdentifier(child)) identifiers.push(child);
    child.forEachChild(visit);
  };
  visit(node);
  return scope.project.checker
    .getSymbolAtLocation(identifiers)
    .filter((symbol) => symbol !== undefined)
    .map((symbol) => targetOf(symbol, scope))
    .filter(({ declarations: [handle] }) => {
      const declaration = handle?.resolve(scope.project);
      return declaration !== undefined && isTopLevel(declaration, scope.folder);
    });
}

function isTopLevel(node: Node, folder: string): boolean {
  return isSourceFile(statementOf(node).parent) && node.getSourceFile().fileName.startsWith(folder);
}
