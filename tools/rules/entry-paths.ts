import type { CallExpression, Node } from 'typescript/unstable/ast';
import { isCallExpression, isIdentifier } from 'typescript/unstable/ast/is';
import type { Checker } from 'typescript/unstable/sync';

/**
 * Files that work in folders which images, containers or users fill. A path that is joined there and opened by name can
 * be led out by a link; these files give system calls nothing but paths that begin at a descriptor (`EntryPath`).
 */
const files = [
  /^packages\/linux\/src\/rooted\/(copy-tree|new-entry)\.ts$/,
  /^packages\/images\/src\/(archive|layers)\/(layer-folders|layer-writer|lower-layers|tree-tar)\.ts$/,
  /^packages\/runtime\/src\/spec\/(root-files|user)\.ts$/,
  /^packages\/kubelet\/src\/volumes\/atomic-writer\.ts$/,
];

/** Whether a file is held to the rule. */
export const worksInForeignFolders = (path: string): boolean => files.some((file) => file.test(path));

const oneOf = (names: string, at: readonly number[]) =>
  names.split(' ').map((name): [string, readonly number[]] => [name, at]);

/** Calls that take paths, and which of their arguments those are. */
const pathArguments = new Map<string, readonly number[]>([
  ...oneOf('accessSync appendFileSync chmodSync chownSync existsSync lchownSync lstatSync lutimesSync', [0]),
  ...oneOf('mkdirSync mkdtempSync openSync opendirSync readFileSync readdirSync readlinkSync', [0]),
  ...oneOf('realpathSync rmSync rmdirSync statSync truncateSync unlinkSync utimesSync writeFileSync', [0]),
  ...oneOf('copyFileSync cpSync linkSync renameSync', [0, 1]),
  ...oneOf('symlinkSync', [1]),
  ...oneOf('getXattr listXattrs makeFifo makeNode setTimes setXattr unmount', [0]),
  ...oneOf('bindMount', [0, 1]),
]);

/** A path given to a system call must be an `EntryPath`, or a file's descriptor. */
export function entryPaths(node: Node, checker: Checker): string | undefined {
  if (!isCallExpression(node) || !isIdentifier(node.expression)) return undefined;
  const wrong = (pathArguments.get(node.expression.text) ?? []).find((at) => !isEntryPath(node, at, checker));
  if (wrong === undefined) return undefined;
  const name = node.arguments[wrong]?.getText();
  return `${node.expression.text}(${name}): a link may lead this path out; take an OpenFolder's entry, or open it there`;
}

function isEntryPath(call: CallExpression, at: number, checker: Checker): boolean {
  const argument = call.arguments[at];
  if (!argument) return true;
  const type = checker.getTypeAtLocation(argument);
  if (!type) return false;
  const text = checker.typeToString(type);
  return /^(EntryPath|number|\d+)$/.test(text);
}
