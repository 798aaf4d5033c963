import type { GoString } from '../../go-values/go-value.ts';
import { quoted } from '../../go-values/quoted.ts';
import type { NumberLiteral } from './literals.ts';

/** A step of a template. */
export type Node =
  | { kind: 'text'; text: GoString }
  | { kind: 'action'; at: number; pipe: Pipe }
  | Branch
  | { kind: 'break' | 'continue' }
  | TemplateCall;

/** `if`, `range` or `with`, and what stands instead. */
export interface Branch {
  kind: 'if' | 'range' | 'with';
  pipe: Pipe;
  list: Node[];
  elseList: Node[] | undefined;
}

/** `{{template "name" pipeline}}`. */
export interface TemplateCall {
  kind: 'template';
  at: number;
  name: GoString;
  pipe: Pipe | undefined;
}

/** Commands of which each has the value of the one before as its last argument. */
export interface Pipe {
  kind: 'pipe';
  at: number;
  /** True for `=`, false for `:=`. */
  isAssignment: boolean;
  /** Names of variables, with their `$`. */
  variables: GoString[];
  commands: Command[];
}

/** A function or a value, and arguments. */
export interface Command {
  kind: 'command';
  at: number;
  operands: [Operand, ...Operand[]];
}

/** What can be an argument. */
export type Operand =
  | Pipe
  | { kind: 'identifier'; at: number; name: GoString }
  | { kind: 'variable' | 'field'; at: number; names: GoString[] }
  | { kind: 'chain'; at: number; of: Operand; names: GoString[] }
  | { kind: 'boolean'; at: number; value: boolean }
  | { kind: 'number'; at: number; source: GoString; value: NumberLiteral }
  | { kind: 'string'; at: number; source: GoString; value: GoString }
  | { kind: 'dot' | 'nil'; at: number };

/** What messages name. */
export type Named = Pipe | Command | Operand | TemplateCall | Extract<Node, { kind: 'action' }>;

/** A part of a template as messages name it. */
export function shownNode(node: Named): GoString {
  switch (node.kind) {
    case 'pipe':
      return shownPipe(node);
    case 'command':
      return node.operands.map(shownOperand).join(' ');
    case 'action':
      return `{{${shownPipe(node.pipe)}}}`;
    case 'template':
      return `{{template ${quoted(node.name)}${node.pipe ? ` ${shownPipe(node.pipe)}` : ''}}}`;
    case 'identifier':
      return node.name;
    case 'variable':
      return node.names.join('.');
    case 'field':
      return `.${node.names.join('.')}`;
    case 'chain':
      return [shownOperand(node.of), ...node.names].join('.');
    case 'boolean':
      return String(node.value);
    case 'number':
    case 'string':
      return node.source;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
  }
}

function shownPipe({ variables, isAssignment, commands }: Pipe): GoString {
  const shown = commands.map(shownNode).join(' | ');
  return variables.length === 0 ? shown : `${variables.join(', ')} ${isAssignment ? '=' : ':='} ${shown}`;
}

const shownOperand = (operand: Operand): GoString =>
  operand.kind === 'pipe' ? `(${shownPipe(operand)})` : shownNode(operand);
