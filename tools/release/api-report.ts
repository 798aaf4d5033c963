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

/** What is declared under one name. */
export interface Declaration {
  name: string;
  /** Its code; a sentence in its place for what is not shown. */
  text: string;
  /** What its doc comment says, without stars; empty when the declarations were written without comments. */
  doc: string;
}

/** What one entry exports. */
export interface EntryApi {
  /** As a consumer names it. */
  name: string;
  declarations: Declaration[];
  /** Names that an entry before this one has shown. */
  again: string[];
}

/** The public types of one package. */
export interface PackageTypes {
  entries: EntryApi[];
  /** What those stand on without being exported. */
  behind: Declaration[];
}

/**
 * The public types of a package: what each entry exports, by name, and what that stands on without being exported; what
 * another entry has shown is only named. Of generated declarations and of other packages' only the names, since those are
 * reviewed where they are made.
 */
export function publicTypes(entries: readonly Entry[], scope: ReportScope): PackageTypes {
  const told = new Set<number>();
  const found = new Map<number, Declared>();
  const shown = entries.map(({ name, file }): EntryApi => {
    const again: string[] = [];
    const declarations = exportsOf(file, scope).flatMap((symbol) => {
      const target = targetOf(symbol, scope);
      if (told.has(target.id)) {
        again.push(symbol.name);
        return [];
      }
      told.add(target.id);
      return declarationsOf(target, symbol.name, scope, found);
    });
    return { name, declarations, again };
  });
  const behind: Declaration[] = [];
  // What is found on the way joins the map, and is visited too.
  for (const [id, symbol] of found)
    if (!told.has(id)) behind.push(...declarationsOf(symbol, symbol.name, scope, found));
  return { entries: shown, behind: behind.sort((a, b) => (a.text < b.text ? -1 : 1)) };
}

/** The public types of a package as text, of which a change is seen in review. */
export function apiReport(entries: readonly Entry[], scope: ReportScope): string {
  const { entries: shown, behind } = publicTypes(entries, scope);
  const sections = shown.map(({ name, declarations, again }) => {
    const lines = declarations.map(({ text }) => text);
    if (again.length > 0) lines.push(...wrapped(`As above: ${again.join(' ')}`));
    return `== ${name}\n\n${lines.join('\n')}\n`;
  });
  if (behind.length > 0) sections.push(`== behind these\n\n${behind.map(({ text }) => text).join('\n')}\n`);
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
): Declaration[] {
  return symbol.declarations.flatMap((handle) => {
    const node = handle.resolve(scope.project);
    if (!node) return [];
    const path = node.getSourceFile().fileName;
    const only = (words: string) => [{ name, text: `${name}: ${words}`, doc: '' }];
    if (!path.startsWith(scope.folder)) return only('of another package');
    if (path.includes('/generated/')) return only('generated');
    if (isSourceFile(node)) return only(`all of ${path.slice(scope.folder.length)}`);
    for (const found of namedIn(node, scope)) behind.set(found.id, found);
    const statement = statementOf(node);
    const text = statement.getText().replace(/^export (declare )?|^declare /, '');
    const doc = docBefore(statement);
    return [{ name, text: symbol.name === name ? text : `${name} = ${text}`, doc }];
  });
}

/** The doc comment that stands right before a statement. */
function docBefore(statement: Node): string {
  const before = statement.getSourceFile().text.slice(statement.pos, statement.getStart());
  const comment = before.match(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/)?.[1] ?? '';
  return comment.replace(/^[ \t]*\* ?/gm, '').trim();
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
