import { bindPod } from '../../subresources/binding.ts';
import { action } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

/** Bindings of pods to nodes: carried out, and not stored. */
export const binding: ServedKind = {
  group: '',
  kind: 'Binding',
  handlers: ({ core }) => ({ '': action((request) => bindPod(core('pods'), request)) }),
};
