import type { Command } from 'commander';
import { asGroup } from '../../flags/command-group.ts';
import { addSetBindings } from './bindings.ts';
import { addSetPods } from './pods.ts';

/** `set env | image | resources | selector | serviceaccount | subject`. */
export function addSet(program: Command): Command[] {
  const set = asGroup(program.command('set')).description('change one thing of what is there');
  return [...addSetPods(set), ...addSetBindings(set)];
}
